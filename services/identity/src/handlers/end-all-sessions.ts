import type { EndAllSessionsRequest } from '@florin/proto/identity/v1/session_service';
import { walletMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Ends all sessions of the caller's wallets at the partner of the token. */
export const endAllSessions = ({ sessions, ownerOf }: Dependencies) =>
  walletMethod(async (_request: EndAllSessionsRequest, { caller }) => {
    const { wallets, partnerId } = await ownerOf(caller);
    const others = wallets.map(({ address }) => address).filter((address) => address !== caller.wallet);
    // The caller's own wallet last: until then the token is valid, and a call that was interrupted can be repeated.
    for (const wallet of [...others, caller.wallet]) await sessions.endAllOf({ wallet, partnerId }, `logout-all:${caller.sessionId}`);
    return {};
  });
