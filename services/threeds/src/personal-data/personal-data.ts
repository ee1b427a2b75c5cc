import { type PersonalDataSection, personalDataService } from '@florin/data/privacy';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { ServiceImplementation } from '@florin/rpc/server';
import type { Challenge } from '../domain/challenge.ts';
import type { ChallengeStore } from '../store/challenges.ts';

const BATCH = 100;

/** Without typed data that still awaits a signature, which would be an approval in the making. */
const toExported = ({
  issued: _issued,
  callerName: _caller,
  badSignatures: _count,
  releasedUses: _uses,
  valueHash: _hash,
  ...challenge
}: Challenge) => challenge;

/**
 * The RPCs about the personal data of the 3-D Secure service: its challenges. An erasure cancels open challenges. Decided ones and their
 * receipts stay, under the user's id, as evidence of the authentication.
 */
export const servePersonalData = ({
  challenges,
  runtime,
}: {
  challenges: ChallengeStore;
  runtime: Pick<Runtime, 'now'>;
}): ServiceImplementation => {
  const section: PersonalDataSection = {
    kind: 'challenge',
    page: async (userId, { limit, after }) => {
      const found = await challenges.page(userId, { limit, before: after, now: runtime.now() });
      return { records: found.map(toExported), next: found.length < limit ? undefined : found.at(-1)?.id };
    },
  };
  const findOpen = async (userId: string, status: 'pending' | 'processing'): Promise<Challenge[]> =>
    challenges.page(userId, { limit: BATCH, status, now: runtime.now() });

  return personalDataService({
    sections: [section],
    runtime,
    check: async (userId) => {
      const open = [...(await findOpen(userId, 'pending')), ...(await findOpen(userId, 'processing'))];
      if (open.length > 0) throw new CodedError('USER_HAS_OPEN_CHALLENGES');
    },
    erase: async (userId) => {
      // Each round ends at least one of them, or finds them decided.
      for (let open = await findOpen(userId, 'pending'); open.length > 0; open = await findOpen(userId, 'pending')) {
        for (const challenge of open) await challenges.cancel(challenge, runtime.now());
      }
    },
  });
};
