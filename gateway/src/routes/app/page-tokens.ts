import type { TokenPair as WireTokenPair } from '@florin/proto/identity/v1/session';
import type { z } from 'zod';
import type { PageSession } from '../../http/page-session.ts';
import { tokenPair, toTokenPair } from '../../schemas/token-pair.ts';

/** The part of its tokens that a page learns: all but the refresh token. */
export const pageTokens = tokenPair.omit({ refreshToken: true }).meta({ id: 'PageTokens' });

/** Puts the refresh token of a pair into the page's cookie. @returns the rest of the pair */
export const keepTokens = (page: PageSession, tokens: WireTokenPair | undefined, now: Date): z.output<typeof pageTokens> => {
  const { refreshToken, ...rest } = toTokenPair(tokens, now);
  page.keep(refreshToken);
  return rest;
};
