import type { EndCurrentSessionRequest } from '@florin/proto/identity/v1/session_service';
import { walletMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Logout. */
export const endCurrentSession = ({ sessions }: Pick<Dependencies, 'sessions'>) =>
  walletMethod(async (_request: EndCurrentSessionRequest, { caller }) => {
    await sessions.end(caller.sessionId);
    return {};
  });
