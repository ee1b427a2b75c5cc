import { createHash } from 'node:crypto';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import type { Entry } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod, serviceStream } from '@florin/rpc/server';
import { implementPart, startNeighbour, type TestAuthority } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';

type Journal = Entry[];

const POLL_MS = 10;

/** A hash of everything up to a position. */
const hashAt = (entries: Journal, position: number): string =>
  createHash('sha256')
    .update(JSON.stringify(entries.slice(0, position).map(({ id }) => id)))
    .digest('hex');

/** Test doubles of identity and ledger: real RPC servers, with users, accounts and a journal set by the test. */
export const startNeighbours = async (authority: TestAuthority, now: () => Date) => {
  /** Partner by user. */
  const partners = new Map<string, string>();
  /** Users whose registration is not completed. */
  const registering = new Set<string>();
  /** User by account. */
  const holders = new Map<string, string>();
  /** Entries by shard. */
  const journal = new Map<string, Journal>([['0', []]]);
  let identityIsAway = false;
  const [identity, ledger] = await Promise.all([
    startNeighbour({
      authority,
      name: 'identity',
      now,
      services: [
        implementPart(UserService, {
          getUserPartner: serviceMethod(({ userId }) => {
            if (identityIsAway) throw new CodedError('SERVICE_UNAVAILABLE');
            const partnerId = partners.get(userId);
            if (partnerId === undefined) throw new CodedError('USER_NOT_FOUND');
            return { partnerId, registered: !registering.has(userId) };
          }),
        }),
      ],
    }),
    startNeighbour({
      authority,
      name: 'ledger',
      now,
      services: [
        implementPart(AccountService, {
          getAccount: serviceMethod(({ key }) => {
            const userId = holders.get(String(key.value));
            if (userId === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
            return { account: { id: String(key.value), userId } };
          }),
        }),
        implementPart(EntryService, {
          watchEntries: serviceStream(async function* ({ shard, after, afterBlockHash }, { signal }) {
            const entries = journal.get(shard) ?? [];
            let position = Number(after);
            const isOther = afterBlockHash !== '' && afterBlockHash !== hashAt(entries, position);
            if (position > entries.length || isOther) throw new CodedError('POSITION_NOT_AVAILABLE');
            while (!signal.aborted) {
              const next = entries.slice(position, position + 3);
              position += next.length;
              yield {
                entries: next,
                position: String(position),
                blockHash: hashAt(entries, position),
                caughtUp: position === entries.length,
                shards: journal.size,
              };
              await pause(POLL_MS);
            }
          }),
        }),
      ],
    }),
  ]);
  return {
    environment: { IDENTITY_URL: identity.url, LEDGER_URL: ledger.url },
    partners,
    registering,
    holders,
    journal,
    setIdentityAway: (away: boolean) => {
      identityIsAway = away;
    },
    close: async () => {
      await Promise.all([identity.close(), ledger.close()]);
    },
  };
};
