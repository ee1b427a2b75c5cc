import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { TokenPair } from '@florin/proto/identity/v1/session';
import { z } from 'zod';
import { id, present } from './fields.ts';

export const session = z
  .object({
    accessToken: z.string().meta({ description: 'JWT access token: a user token if the wallet is registered, otherwise a wallet token' }),
    refreshToken: z.string().meta({ description: 'Refresh token; valid once, within seven days' }),
    expiresIn: z.int().min(0).meta({ description: 'Seconds until the access token expires' }),
    userId: id.optional().meta({ description: 'Id of the user; absent while the wallet is not registered' }),
  })
  .meta({ id: 'Session' });

/** @param now the time that `expiresIn` counts from */
export const toSession = (tokens: TokenPair | undefined, now: Date): z.output<typeof session> => {
  const { accessToken, refreshToken, accessExpiresAt, userId } = present(tokens, 'token pair');
  const seconds = Math.floor((timestampDate(present(accessExpiresAt, 'expiry of the access token')).getTime() - now.getTime()) / 1000);
  return { accessToken, refreshToken, expiresIn: Math.max(0, seconds), ...(userId === '' ? {} : { userId }) };
};
