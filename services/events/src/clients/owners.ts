import { UserService } from '@florin/proto/identity/v1/user_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import { LRUCache } from 'lru-cache';

/** Whom users and accounts belong to. */
export type OwnersClient = {
  /** @returns the user's partner; undefined without such a user. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  partnerOf: (userId: string) => Promise<string | undefined>;
  /** @returns the account's user; undefined without such an account. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  userOf: (accountId: string) => Promise<string | undefined>;
};

/** An owner, and whether it may become another one. */
type Found = { owner: string | undefined; isFinal: boolean };

/** Entries of each cache, some hundreds of bytes each. */
const MAX_CACHED = 50_000;

/** How long an owner that is not final is remembered, in milliseconds: enough for one batch of events. */
const NOT_FINAL_MS = 1000;

/** Remembers answers, and lets concurrent callers share one question. */
const remembering = (ask: (id: string) => Promise<Found>): ((id: string) => Promise<string | undefined>) => {
  const answers = new LRUCache<string, Promise<Found>>({ max: MAX_CACHED });
  return async (id) => {
    const known = answers.get(id);
    if (known !== undefined) return (await known).owner;
    const asked = ask(id);
    answers.set(id, asked);
    try {
      const { owner, isFinal } = await asked;
      if (!isFinal) answers.set(id, asked, { ttl: NOT_FINAL_MS });
      return owner;
    } catch (error) {
      answers.delete(id);
      throw error;
    }
  };
};

/** Asks identity and ledger, and remembers what they answer. */
export const createOwnersClient = (identity: RpcChannel, ledger: RpcChannel): OwnersClient => {
  const users = identity.client(UserService);
  const accounts = ledger.client(AccountService);
  return {
    partnerOf: remembering(async (userId) => {
      const found = await undefinedOn('USER_NOT_FOUND', users.getUserPartner({ userId }));
      return { owner: found?.partnerId, isFinal: found?.registered === true };
    }),
    userOf: remembering(async (accountId) => {
      const asked = accounts.getAccount({ key: { case: 'accountId', value: accountId } });
      const found = await undefinedOn('ACCOUNT_NOT_FOUND', asked);
      return { owner: found?.account?.userId, isFinal: found?.account !== undefined };
    }),
  };
};
