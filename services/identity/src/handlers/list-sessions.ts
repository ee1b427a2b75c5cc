import { cutPage, decodeIdCursor, encodeIdCursor, pageSchema } from '@florin/data/paging';
import type { ListSessionsRequest } from '@florin/proto/identity/v1/session_service';
import { parseRequest, walletMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireSession } from './to-wire.ts';

const requestSchema = z.object({ page: pageSchema });

/** @throws CodedError VALIDATION_FAILED */
export const listSessions = ({ sessions, ownerOf }: Pick<Dependencies, 'sessions' | 'ownerOf'>) =>
  walletMethod(async (request: ListSessionsRequest, { caller }) => {
    const { page } = parseRequest(requestSchema, request);
    const before = decodeIdCursor(page.cursor);
    const found = await sessions.page(await ownerOf(caller), { limit: page.limit + 1, before });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { sessions: rows.map((session) => toWireSession(session, caller.sessionId)), page: { nextCursor } };
  });
