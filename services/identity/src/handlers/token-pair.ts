import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { TokenPairSchema } from '@florin/proto/identity/v1/session';
import type { Tokens } from '../sessions/sessions.ts';

export const toTokenPair = ({ accessToken, refreshToken, accessExpiresAt, userId }: Tokens): MessageInitShape<typeof TokenPairSchema> => ({
  accessToken,
  refreshToken,
  accessExpiresAt: timestampFromDate(accessExpiresAt),
  userId: userId ?? '',
});
