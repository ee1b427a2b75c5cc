import { cutPage, decodeIdCursor, encodeIdCursor, pageSchema } from '@florin/data/paging';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { ListUserSessionsRequest } from '@florin/proto/identity/v1/session_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { toWireSession } from './to-wire.ts';

const requestSchema = z.object({ userId: uuidSchema, page: pageSchema });

/** @throws CodedError USER_NOT_FOUND, VALIDATION_FAILED */
export const listUserSessions = ({ users, sessions, ownerOfUser }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readSessions, async (request: ListUserSessionsRequest) => {
    const { userId, page } = parseRequest(requestSchema, request);
    const owner = await ownerOfUser(requireUser(await users.find(userId)));
    const found = await sessions.page(owner, { limit: page.limit + 1, before: decodeIdCursor(page.cursor) });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { sessions: rows.map((session) => toWireSession(session, '')), page: { nextCursor } };
  });
