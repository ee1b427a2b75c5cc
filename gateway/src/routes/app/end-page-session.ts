import { onBehalfOf } from '@florin/rpc/client';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { decodeJwt } from 'jose';
import { defineRoute } from '../../http/define-route.ts';
import { PAGE_SESSION_PATH } from '../../http/page-session.ts';
import { DONE, done } from '../../schemas/fields.ts';

/** The session has ended before. */
const OVER: readonly ErrorCode[] = ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED', 'INVALID_DPOP_PROOF', 'UNAUTHORIZED'];

export const endPageSession = defineRoute({
  operationId: 'endPageSession',
  method: 'delete',
  path: PAGE_SESSION_PATH,
  tag: 'Auth',
  summary: 'Log out on a page of this origin',
  policy: 'page',
  answers: { 200: done },
  errors: [],
  // The cookie alone is enough, because the access token may have expired. It stays if the session could not be ended, for another attempt.
  handler: async (_input, { caller: page, upstream, asGateway, requestId, revoked }) => {
    const { refreshToken } = page;
    try {
      if (refreshToken !== '') {
        const { tokens } = await asGateway((options) => upstream.auth.refreshSession({ refreshToken }, options));
        const token = tokens?.accessToken ?? '';
        await upstream.sessions.endCurrentSession({}, onBehalfOf({ token, requestId }));
        revoked(String(decodeJwt(token)['sid']));
      }
    } catch (error) {
      if (!(error instanceof CodedError && OVER.includes(error.code))) throw error;
    }
    page.clear();
    return DONE;
  },
});
