import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListSessionsRequest } from '@florin/proto/identity/v1/session_service';
import { walletMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireSession } from './to-wire.ts';

export const listSessions = ({ sessions, ownerOf }: Dependencies) =>
  walletMethod(async (request: ListSessionsRequest, { caller }) => {
    const page = pageOf(request);
    const before = decodeIdCursor(page.cursor);
    const found = await sessions.page(await ownerOf(caller), { limit: page.limit + 1, before });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { sessions: rows.map((session) => toWireSession(session, caller.sessionId)), page: { nextCursor } };
  });
