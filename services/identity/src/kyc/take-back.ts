import { CodedError } from '@florin/rpc/errors';
import { newEvent } from '../domain/events.ts';
import type { KycState } from '../domain/kyc.ts';
import type { KycCall, KycEventParts } from './receive-event.ts';

/** A call that loses a race reads the winner's change and tries again. */
const MAX_ATTEMPTS = 10;

/**
 * Puts an approved check into review again. The provider's numbering of events is untouched: its next event is judged as if nothing had happened.
 * @returns the state of the check
 * @throws CodedError USER_NOT_FOUND, KYC_STATE_CONFLICT, SERVICE_UNAVAILABLE
 */
export type TakeKycBack = (order: { requestId: string; userId: string }, call: KycCall) => Promise<KycState>;

export const createTakeKycBack =
  ({ standings, onboarding, runtime, onPublish }: KycEventParts): TakeKycBack =>
  async ({ requestId, userId }, call) => {
    let state: KycState = 'in_review';
    const apply = async (): Promise<boolean> => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const seen = await standings.find(userId);
        if (seen === undefined) throw new CodedError('USER_NOT_FOUND');
        state = seen.state;
        // Changes after the order stand.
        if (seen.state === 'in_review' || seen.eventIds.includes(requestId)) return false;
        if (seen.state !== 'approved') throw new CodedError('KYC_STATE_CONFLICT');
        const payload = { userId, partnerId: seen.partnerId, state: 'in_review' as const, status: 'in_review' as const };
        const event = newEvent(runtime, { type: 'user.kyc_changed', payload });
        if (await standings.record(seen, { id: requestId, sequence: seen.sequence }, { to: 'in_review', at: event.at, event })) {
          state = 'in_review';
          onPublish();
          return true;
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the identity check changed during every attempt' });
    };
    await onboarding.advanceCheck(userId, call, apply);
    return state;
  };
