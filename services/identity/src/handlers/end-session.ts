import type { EndSessionRequest } from '@florin/proto/identity/v1/session_service';
import { CodedError } from '@florin/rpc/errors';
import { walletMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const endSession = ({ sessions, ownerOf }: Dependencies) =>
  walletMethod(async (request: EndSessionRequest, { caller }) => {
    const { sessionId } = request;
    const { wallets, partnerId } = await ownerOf(caller);
    const session = await sessions.find(sessionId);
    if (session === undefined || session.partnerId !== partnerId || !wallets.some(({ address }) => address === session.wallet))
      throw new CodedError('NOT_FOUND');
    await sessions.end(sessionId);
    return {};
  });
