import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { newEvent } from '../domain/events.ts';
import { judgeKycEvent, type KycEvent } from '../domain/kyc.ts';
import type { FoundStanding, KycMove, KycStandingStore } from '../store/kyc-standings.ts';

/**
 * Number of attempts. A call that loses a race reads the winner's change and tries again; more attempts than this are not needed for a
 * race.
 */
const MAX_ATTEMPTS = 10;

export type KycCall = { requestId: string; logger: Logger };

export type KycEventParts = {
  standings: KycStandingStore;
  onboarding: {
    /** Runs a change to the identity check, then activates or blocks the account as the user's progress demands. */
    advanceCheck: (userId: string, call: KycCall, change: () => Promise<boolean>) => Promise<boolean>;
  };
  runtime: Pick<Runtime, 'now' | 'newId'>;
  /** Called after a change that left an event in the outbox. */
  onPublish: () => void;
};

/**
 * Applies an event. Events may arrive in any order and more than once.
 * @returns whether the event changed the state of the check
 * @throws CodedError KYC_PROFILE_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export type ReceiveKycEvent = (event: KycEvent, call: KycCall) => Promise<boolean>;

export const createReceiveKycEvent = ({ standings, onboarding, runtime, onPublish }: KycEventParts): ReceiveKycEvent => {
  const find = async (profileId: string): Promise<FoundStanding> => {
    const found = await standings.findByProfile(profileId);
    if (found === undefined) throw new CodedError('KYC_PROFILE_NOT_FOUND');
    return found;
  };

  const moveOf = ({ userId, partnerId }: FoundStanding, { state }: KycEvent): KycMove => {
    const event = newEvent(runtime, { type: 'user.kyc_changed', payload: { userId, partnerId, state, status: state } });
    return { to: state, at: event.at, event };
  };

  return async (event, call) => {
    const { userId } = await find(event.profileId);
    const apply = async (): Promise<boolean> => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const seen = await find(event.profileId);
        const verdict = judgeKycEvent(seen, event);
        if (verdict === 'stale') return false;
        const moves = verdict === 'moves';
        if (await standings.record(seen, event, moves ? moveOf(seen, event) : undefined)) {
          if (moves) onPublish();
          return moves;
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the identity check changed during every attempt' });
    };
    return onboarding.advanceCheck(userId, call, apply);
  };
};
