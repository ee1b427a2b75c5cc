import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { toWireTypedMessage } from '@florin/evm/typed-messages';
import type {
  CompleteCardApprovalRequest,
  CreateCardChallengeRequest,
  UseCardApprovalRequest,
  CardChange as WireChange,
} from '@florin/proto/identity/v1/wallet_service';
import { stated } from '@florin/rpc/contract';
import { userMethod } from '@florin/rpc/server';
import { type Approvable, CARD_CHANGES } from '../domain/wallet-approval.ts';
import type { Dependencies } from './dependencies.ts';
import { requireOwnWallet } from './require-own-wallet.ts';

const toApprovable = (change: WireChange | undefined): Approvable => {
  const { kind, cardId, last4, facts } = stated(change);
  return { change: stated(CARD_CHANGES[kind - 1]), cardId, last4, facts };
};

export const createCardChallenge = ({ users, approvals }: Dependencies) =>
  userMethod(async (request: CreateCardChallengeRequest, { caller }) => {
    await requireOwnWallet({ users }, caller);
    const issued = await approvals.issue({ approvable: toApprovable(request.change), caller });
    return { typedData: toWireTypedMessage(issued.typedData), expiresAt: timestampFromDate(issued.expiresAt) };
  });

export const useCardApproval = ({ users, approvals }: Dependencies) =>
  userMethod(async ({ change, approval, use }: UseCardApprovalRequest, { caller }) => {
    const { user } = await requireOwnWallet({ users }, caller);
    const { nonce } = await approvals.verify({ user, approvable: toApprovable(change), approval, use, session: caller.sessionId });
    return { nonce };
  });

export const completeCardApproval = ({ approvals }: Dependencies) =>
  userMethod(async ({ nonce }: CompleteCardApprovalRequest, { caller }) => {
    await approvals.complete(caller.userId, nonce);
    return {};
  });
