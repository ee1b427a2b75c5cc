import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CardSchema } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import type { UserSchema } from '@florin/proto/identity/v1/user';
import { UserService } from '@florin/proto/identity/v1/user_service';
import type { AccountSchema } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { implementPart, startNeighbour, type TestAuthority } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';

type CardInit = MessageInitShape<typeof CardSchema>;
type AccountInit = MessageInitShape<typeof AccountSchema>;
type UserInit = MessageInitShape<typeof UserSchema>;

/** Test doubles of card, ledger and identity: real RPC servers that verify real service tokens, with records set by the test. */
export const startNeighbours = async (authority: TestAuthority) => {
  const cards = new Map<string, CardInit>();
  const accounts = new Map<string, AccountInit>();
  const users = new Map<string, UserInit>();
  const asked = { cards: 0, accounts: 0, users: 0 };
  /** Error codes that calls return instead. */
  const broken: { cards?: ErrorCode; accounts?: ErrorCode; users?: ErrorCode } = {};

  /** Delay of responses, in milliseconds. */
  const slow: { users?: number } = {};

  /** The records of some ids; each counts as one question. */
  const respond = <T>(kind: keyof typeof asked, records: ReadonlyMap<string, T>, ids: readonly string[]): (T & { id: string })[] => {
    asked[kind] += ids.length;
    const code = broken[kind];
    if (code !== undefined) throw new CodedError(code);
    return ids.flatMap((id) => {
      const record = records.get(id);
      return record === undefined ? [] : [{ ...record, id }];
    });
  };

  const serve = (name: string, implementation: ServiceImplementation) => startNeighbour({ authority, name, services: [implementation] });

  const servers = await Promise.all([
    serve(
      'card',
      implementPart(CardService, {
        batchGetCards: serviceMethod(({ cardIds }) => ({ cards: respond('cards', cards, cardIds) })),
      }),
    ),
    serve(
      'ledger',
      implementPart(AccountService, {
        batchGetAccounts: serviceMethod(({ accountIds }) => ({
          accounts: respond('accounts', accounts, accountIds),
        })),
      }),
    ),
    serve(
      'identity',
      implementPart(UserService, {
        batchGetUsers: serviceMethod(async ({ userIds }) => {
          if (slow.users !== undefined) await pause(slow.users);
          return { users: respond('users', users, userIds) };
        }),
      }),
    ),
  ]);
  const [card, ledger, identity] = servers;

  return {
    environment: { CARD_URL: card.url, LEDGER_URL: ledger.url, IDENTITY_URL: identity.url },
    cards,
    accounts,
    users,
    asked,
    broken,
    slow,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};
