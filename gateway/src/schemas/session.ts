import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { TokenPair } from '@florin/proto/identity/v1/session';
import { z } from 'zod';
import { id, present } from './fields.ts';

export const session = z
  .object({
    accessToken: z.string().meta({ description: 'JWT, a user token once the wallet is registered' }),
    refreshToken: z.string().meta({ description: 'Single use, seven days' }),
    expiresIn: z.int().min(0).meta({ description: 'Seconds until the access token ends' }),
    userId: id.optional().meta({ description: 'Absent while the wallet is not registered' }),
  })
  .meta({ id: 'Session' });

/** @param now the gateway's clock: `expiresIn` counts from the answer */
export const toSession = (tokens: TokenPair | undefined, now: Date): z.output<typeof session> => {
  const { accessToken, refreshToken, accessExpiresAt, userId } = present(tokens, 'the token pair');
  const seconds = Math.floor((timestampDate(present(accessExpiresAt, 'the end of the access token')).getTime() - now.getTime()) / 1000);
  return { accessToken, refreshToken, expiresIn: Math.max(0, seconds), ...(userId === '' ? {} : { userId }) };
};
