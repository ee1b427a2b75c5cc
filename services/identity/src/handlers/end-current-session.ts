import type { EndCurrentSessionRequest } from '@florin/proto/identity/v1/session_service';
import { walletMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Ends the session of the token. */
export const endCurrentSession = ({ sessions }: Dependencies) =>
  walletMethod(async (_request: EndCurrentSessionRequest, { caller }) => {
    await sessions.end(caller.sessionId);
    return {};
  });
