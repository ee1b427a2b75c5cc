import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CardChangeSchema,
  type CreateCardChallengeResponse,
  CardChangeKind as Kind,
  WalletService,
} from '@florin/proto/identity/v1/wallet_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';
import type { Logger } from '@florin/rpc/observe';
import type { Card } from '../domain/card.ts';
import type { ApprovedChange } from '../domain/change-facts.ts';

/** A wallet may be a contract, which a chain node is asked about. */
const TIMEOUT_MS = 4000;

type UserCall = { token: string; requestId: string };

/** Approvals of changes of cards by the wallets of their users, which identity keeps and checks. */
export type ApprovalsClient = {
  /** Has typed data created that the user's wallet signs. */
  issue: (card: Pick<Card, 'id' | 'last4'>, change: ApprovedChange, call: UserCall) => Promise<CreateCardChallengeResponse>;
  /**
   * Makes a change that lets a card pay what it did not, with the approval of the user who owns the token.
   * @param use names the use of the approval: a repeat with the same name succeeds until the change is made
   * @param change.make is called once the approval is used up; after it the approval is forgotten
   * @throws CodedError APPROVAL_REQUIRED, INVALID_APPROVAL, WALLET_COOLING, NONCE_EXPIRED, NONCE_USED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, and what
   * `make` throws
   */
  withApproval: <T>(
    card: Pick<Card, 'id' | 'last4'>,
    change: ApprovedChange & { approval: string; use: string; make: () => Promise<T> },
    call: UserCall & { logger: Logger },
  ) => Promise<T>;
};

const KIND: Readonly<Record<ApprovedChange['kind'], Kind>> = { limits: Kind.LIMITS, controls: Kind.CONTROLS, unfreeze: Kind.UNFREEZE };

const toWire = ({ id, last4 }: Pick<Card, 'id' | 'last4'>, { kind, facts }: ApprovedChange): MessageInitShape<typeof CardChangeSchema> => ({
  kind: KIND[kind],
  cardId: id,
  last4,
  facts: [...facts],
});

export const createApprovalsClient = (channel: RpcChannel): ApprovalsClient => {
  const client = channel.client(WalletService);
  const options = (call: UserCall) => ({ ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
  return {
    issue: (card, change, call) => client.createCardChallenge({ change: toWire(card, change) }, options(call)),
    withApproval: async (card, { approval, use, make, ...change }, call) => {
      const { nonce } = await client.useCardApproval({ change: toWire(card, change), approval, use }, options(call));
      const result = await make();
      // The change is made. Unless identity is told, the same signature makes the same change again, for its ten minutes.
      await client
        .completeCardApproval({ nonce }, options(call))
        .catch((err: unknown) => call.logger.warn({ err }, 'an approval that was used could not be completed'));
      return result;
    },
  };
};
