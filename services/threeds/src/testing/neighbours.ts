import type { DescService, MessageInitShape } from '@bufbuild/protobuf';
import { createAuthenticator, createServiceTokenVerifier, createUserTokenVerifier } from '@florin/kit/auth';
import { CodedError, type ErrorCode } from '@florin/kit/errors';
import { implement, type Methods, type ServiceImplementation, serviceMethod, startRpcServer, userMethod } from '@florin/kit/rpc';
import { quietLogger, type TestAuthority } from '@florin/kit/testing';
import type { CardSchema } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import type { UserSchema } from '@florin/proto/identity/v1/user';
import { UserService } from '@florin/proto/identity/v1/user_service';
import type { AccountSchema } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';

type CardInit = MessageInitShape<typeof CardSchema>;
type AccountInit = MessageInitShape<typeof AccountSchema>;
type UserInit = MessageInitShape<typeof UserSchema>;

/** Every method of a contract, refused: a test's neighbour serves only what threeds is meant to ask. */
const refuseAll = <S extends DescService>(service: S): Methods<S> =>
  Object.fromEntries(
    service.methods.map(({ localName }) => [
      localName,
      userMethod(() => {
        throw new CodedError('FORBIDDEN');
      }),
    ]),
  ) as unknown as Methods<S>;

/** Stand-ins for card, ledger and identity: real RPC servers that check real service tokens, with records that a test sets. */
export const startNeighbours = async (authority: TestAuthority) => {
  const cards = new Map<string, CardInit>();
  const accounts = new Map<string, AccountInit>();
  const users = new Map<string, UserInit>();
  const asked = { cards: 0, accounts: 0, users: 0 };
  /** What the next questions are answered with instead. */
  const broken: { cards?: ErrorCode; accounts?: ErrorCode; users?: ErrorCode } = {};

  const answer = <T>(kind: keyof typeof asked, found: T | undefined, missing: ErrorCode): T => {
    asked[kind] += 1;
    const code = broken[kind];
    if (code !== undefined) throw new CodedError(code);
    if (found === undefined) throw new CodedError(missing);
    return found;
  };

  const serve = (audience: string, implementation: ServiceImplementation) =>
    startRpcServer({
      host: '127.0.0.1',
      port: 0,
      logger: quietLogger,
      authenticate: createAuthenticator({
        user: createUserTokenVerifier(authority.userKeys, () => new Date()),
        service: createServiceTokenVerifier(audience, authority.trust),
      }),
      services: [implementation],
      health: {},
    });

  const servers = await Promise.all([
    serve(
      'card',
      implement(CardService, {
        ...refuseAll(CardService),
        getCard: serviceMethod('card.cards.read', ({ cardId }) => ({ card: answer('cards', cards.get(cardId), 'CARD_NOT_FOUND') })),
      }),
    ),
    serve(
      'ledger',
      implement(AccountService, {
        ...refuseAll(AccountService),
        getAccount: serviceMethod('ledger.accounts.read', ({ key }) => ({
          account: answer('accounts', accounts.get(key.value ?? ''), 'ACCOUNT_NOT_FOUND'),
        })),
      }),
    ),
    serve(
      'identity',
      implement(UserService, {
        ...refuseAll(UserService),
        getUser: serviceMethod('identity.users.read', ({ userId }) => ({ user: answer('users', users.get(userId), 'USER_NOT_FOUND') })),
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
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};
