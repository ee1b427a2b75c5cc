import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { judgeKycEvent, type KycEvent } from '../domain/kyc.ts';
import type { Onboarding } from '../onboarding/onboarding.ts';
import type { FoundStanding, KycStandingStore } from '../store/kyc-standings.ts';

/** An event that loses its race finds the winner's work at the next look; more looks than this are no race any more. */
const MAX_LOOKS = 10;

export type KycEventParts = {
  standings: KycStandingStore;
  onboarding: Pick<Onboarding, 'advance'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  /** Called when there is an event to publish. */
  published: () => void;
};

/**
 * Takes an event, in whatever order and however often events come.
 * @returns whether it moved the check
 * @throws CodedError KYC_PROFILE_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export type ReceiveKycEvent = (event: KycEvent, call: { requestId: string; logger: Logger }) => Promise<boolean>;

export const createReceiveKycEvent = ({ standings, onboarding, runtime, published }: KycEventParts): ReceiveKycEvent => {
  const find = async (profileId: string): Promise<FoundStanding> => {
    const found = await standings.findByProfile(profileId);
    if (found === undefined) throw new CodedError('KYC_PROFILE_NOT_FOUND');
    return found;
  };

  const moveOf = ({ userId, partnerId }: FoundStanding, { state }: KycEvent) => {
    const at = runtime.now();
    return { to: state, at, event: { id: runtime.newId(), type: 'user.kyc_changed', at, payload: { userId, partnerId, state } } };
  };

  return async (event, call) => {
    const { userId } = await find(event.profileId);
    const apply = async (): Promise<boolean> => {
      for (let look = 0; look < MAX_LOOKS; look += 1) {
        const seen = await find(event.profileId);
        const verdict = judgeKycEvent(seen, event);
        if (verdict === 'stale') return false;
        const moves = verdict === 'moves';
        if (await standings.record(seen, event, moves ? moveOf(seen, event) : undefined)) {
          if (moves) published();
          return moves;
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the check keeps changing' });
    };
    return onboarding.advance(userId, call, apply);
  };
};
