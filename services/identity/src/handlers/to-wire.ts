import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SessionSchema, TokenPairSchema } from '@florin/proto/identity/v1/session';
import { KycStatus, type UserSchema } from '@florin/proto/identity/v1/user';
import type { KycState, User } from '../domain/user.ts';
import type { Tokens } from '../sessions/sessions.ts';
import type { Session } from '../store/sessions.ts';

export const toWireTokenPair = ({
  accessToken,
  refreshToken,
  accessExpiresAt,
  userId,
}: Tokens): MessageInitShape<typeof TokenPairSchema> => ({
  accessToken,
  refreshToken,
  accessExpiresAt: timestampFromDate(accessExpiresAt),
  userId: userId ?? '',
});

export const toWireSession = (session: Session, currentId: string): MessageInitShape<typeof SessionSchema> => ({
  id: session.id,
  wallet: session.wallet,
  createdAt: timestampFromDate(session.createdAt),
  lastUsedAt: timestampFromDate(session.lastUsedAt),
  userAgent: session.userAgent ?? '',
  ip: session.ip ?? '',
  current: session.id === currentId,
});

const KYC_STATUS: Record<KycState, KycStatus> = {
  NOT_STARTED: KycStatus.NOT_STARTED,
  PENDING: KycStatus.PENDING,
  APPROVED: KycStatus.APPROVED,
  RESUBMISSION_REQUESTED: KycStatus.RESUBMISSION_REQUESTED,
  REJECTED: KycStatus.REJECTED,
};

export const toWireUser = ({ emailKey: _, ...user }: User): MessageInitShape<typeof UserSchema> => ({
  ...user,
  kycStatus: KYC_STATUS[user.kycStatus],
  createdAt: timestampFromDate(user.createdAt),
});
