import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type CardSchema, CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod, userOrServiceMethod } from '@florin/rpc/server';
import { implementPart, startNeighbour, type TestAuthority } from '@florin/rpc/testing';

const CHAIN_ID = 100;

/** Test doubles of card, ledger and identity: real RPC servers that verify the user's real token, with records set by the test. */
export const startNeighbours = async (authority: TestAuthority, now: () => Date) => {
  const cards = new Map<string, MessageInitShape<typeof CardSchema>>();
  const wallets = new Map<string, string[]>();
  /** From when a wallet may approve, by address; the others may always. */
  const approvesFrom = new Map<string, Date>();
  const serve = (name: string, service: ReturnType<typeof implementPart>) => startNeighbour({ authority, name, services: [service], now });
  const servers = await Promise.all([
    serve(
      'card',
      implementPart(CardService, {
        getCard: userOrServiceMethod(({ cardId }, { caller }) => {
          const card = cards.get(cardId);
          if (card === undefined || caller.kind === 'service' || card.userId !== caller.userId) throw new CodedError('CARD_NOT_FOUND');
          return { card: { status: CardStatus.ACTIVE, ...card } };
        }),
      }),
    ),
    serve(
      'ledger',
      implementPart(AccountService, {
        getCurrentAccount: userMethod((_request, { caller }) => ({ account: { userId: caller.userId, chainId: CHAIN_ID } })),
      }),
    ),
    serve(
      'identity',
      implementPart(UserService, {
        getCurrentUser: userMethod((_request, { caller }) => ({
          user: {
            id: caller.userId,
            wallets: (wallets.get(caller.userId) ?? []).map((address) => ({
              address,
              approvesFrom: timestampFromDate(approvesFrom.get(address) ?? new Date(0)),
            })),
          },
        })),
      }),
    ),
  ]);
  const [card, ledger, identity] = servers;
  return {
    environment: { CARD_URL: card.url, LEDGER_URL: ledger.url, IDENTITY_URL: identity.url },
    cards,
    wallets,
    approvesFrom,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};
