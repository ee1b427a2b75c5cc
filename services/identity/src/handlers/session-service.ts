import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import {
  type EndAllSessionsRequest,
  type EndCurrentSessionRequest,
  type EndSessionRequest,
  type EndUserSessionRequest,
  type ListSessionsRequest,
  type ListUserSessionsRequest,
  SessionService,
} from '@florin/proto/identity/v1/session_service';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, walletMethod } from '@florin/rpc/server';
import type { SessionOwner } from '../store/sessions.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { toWireSession } from './to-wire.ts';

/** Ends the session of the token. */
const endCurrentSession = ({ sessions }: Dependencies) =>
  walletMethod(async (_request: EndCurrentSessionRequest, { caller }) => {
    await sessions.end(caller.sessionId);
    return {};
  });

const listSessions = ({ sessions, ownerOf }: Dependencies) =>
  walletMethod(async (request: ListSessionsRequest, { caller }) => {
    const page = pageOf(request);
    const before = decodeIdCursor(page.cursor);
    const found = await sessions.page(await ownerOf(caller), { limit: page.limit + 1, before });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { sessions: rows.map((session) => toWireSession(session, caller.sessionId)), page: { nextCursor } };
  });

const listUserSessions = ({ users, sessions, ownerOfUser }: Dependencies) =>
  serviceMethod(async (request: ListUserSessionsRequest) => {
    const page = pageOf(request);
    const owner = await ownerOfUser(requireUser(await users.find(request.userId)));
    const found = await sessions.page(owner, { limit: page.limit + 1, before: decodeIdCursor(page.cursor) });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { sessions: rows.map((session) => toWireSession(session, '')), page: { nextCursor } };
  });

/** Ends a session of an owner. @throws CodedError NOT_FOUND for a session of another owner */
const endOwn = async (sessions: Dependencies['sessions'], { wallets, partnerId }: SessionOwner, sessionId: string): Promise<void> => {
  const session = await sessions.find(sessionId);
  if (session === undefined || session.partnerId !== partnerId || !wallets.some(({ address }) => address === session.wallet))
    throw new CodedError('NOT_FOUND');
  await sessions.end(sessionId);
};

const endSession = ({ sessions, ownerOf }: Dependencies) =>
  walletMethod(async ({ sessionId }: EndSessionRequest, { caller }) => {
    await endOwn(sessions, await ownerOf(caller), sessionId);
    return {};
  });

const endUserSession = ({ users, sessions, ownerOfUser }: Dependencies) =>
  serviceMethod(async ({ userId, sessionId }: EndUserSessionRequest) => {
    await endOwn(sessions, await ownerOfUser(requireUser(await users.find(userId))), sessionId);
    return {};
  });

/** Ends all sessions of the caller's wallets at the partner of the token. */
const endAllSessions = ({ sessions, ownerOf }: Dependencies) =>
  walletMethod(async (_request: EndAllSessionsRequest, { caller }) => {
    const { wallets, partnerId } = await ownerOf(caller);
    const others = wallets.map(({ address }) => address).filter((address) => address !== caller.wallet);
    // The caller's own wallet last: until then the token is valid, and a call that was interrupted can be repeated.
    for (const wallet of [...others, caller.wallet]) await sessions.endAllOf({ wallet, partnerId }, `logout-all:${caller.sessionId}`);
    return {};
  });

/** Implementation of the contract `SessionService`. */
export const sessionService = (dependencies: Dependencies): ServiceImplementation =>
  implement(SessionService, {
    endCurrentSession: endCurrentSession(dependencies),
    listSessions: listSessions(dependencies),
    listUserSessions: listUserSessions(dependencies),
    endSession: endSession(dependencies),
    endUserSession: endUserSession(dependencies),
    endAllSessions: endAllSessions(dependencies),
  });
