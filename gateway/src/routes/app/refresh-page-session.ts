import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { defineRoute } from '../../http/define-route.ts';
import { PAGE_SESSION_PATH } from '../../http/page-session.ts';
import { keepTokens, pageTokens } from './page-tokens.ts';

/** The session of the cookie is over: it would be refused again. */
const OVER: readonly ErrorCode[] = ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED'];

export const refreshPageSession = defineRoute({
  operationId: 'refreshPageSession',
  method: 'post',
  path: `${PAGE_SESSION_PATH}/refresh`,
  tag: 'Auth',
  summary: 'Refresh the tokens of a page of this origin',
  policy: 'page',
  rateLimit: 'auth',
  answers: { 200: pageTokens },
  errors: ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED', 'INVALID_DPOP_PROOF'],
  handler: async (_input, { caller: page, upstream, asGateway, now }) => {
    const { refreshToken } = page;
    try {
      if (refreshToken === '') throw new CodedError('INVALID_REFRESH_TOKEN');
      const { tokens } = await asGateway((options) => upstream.auth.refreshSession({ refreshToken }, options));
      return keepTokens(page, tokens, now());
    } catch (error) {
      if (error instanceof CodedError && OVER.includes(error.code)) page.clear();
      throw error;
    }
  },
});
