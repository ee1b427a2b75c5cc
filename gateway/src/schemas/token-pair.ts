import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { TokenPair as WireTokenPair } from '@florin/proto/identity/v1/session';
import { z } from 'zod';
import { id, present } from './fields.ts';

/** The tokens of a session. */
export const tokenPair = z
  .object({
    accessToken: z.string().meta({ description: 'JWT access token: a user token if the wallet is registered, otherwise a wallet token' }),
    refreshToken: z.string().meta({ description: 'Refresh token; valid once, within seven days' }),
    expiresIn: z.int().min(0).meta({ description: 'Seconds until the access token expires' }),
    userId: id.optional().meta({ description: 'Id of the user; absent while the wallet is not registered' }),
  })
  .meta({ id: 'TokenPair' });

/** Whole seconds until an access token expires, at least 0. */
export const secondsUntil = (expiresAt: Timestamp | undefined, now: Date): number => {
  const ms = timestampDate(present(expiresAt, 'expiry of the access token')).getTime() - now.getTime();
  return Math.max(0, Math.floor(ms / 1000));
};

/** @param now the time that `expiresIn` counts from */
export const toTokenPair = (tokens: WireTokenPair | undefined, now: Date): z.output<typeof tokenPair> => {
  const { accessToken, refreshToken, accessExpiresAt, userId } = present(tokens, 'token pair');
  return { accessToken, refreshToken, expiresIn: secondsUntil(accessExpiresAt, now), ...(userId === '' ? {} : { userId }) };
};
