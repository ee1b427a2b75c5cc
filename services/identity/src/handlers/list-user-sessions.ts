import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListUserSessionsRequest } from '@florin/proto/identity/v1/session_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { toWireSession } from './to-wire.ts';

export const listUserSessions = ({ users, sessions, ownerOfUser }: Dependencies) =>
  serviceMethod(async (request: ListUserSessionsRequest) => {
    const page = pageOf(request);
    const owner = await ownerOfUser(requireUser(await users.find(request.userId)));
    const found = await sessions.page(owner, { limit: page.limit + 1, before: decodeIdCursor(page.cursor) });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { sessions: rows.map((session) => toWireSession(session, '')), page: { nextCursor } };
  });
