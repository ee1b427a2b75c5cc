import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SessionSchema, TokenPairSchema } from '@florin/proto/identity/v1/session';
import type { TermSchema } from '@florin/proto/identity/v1/terms';
import { KycStatus, type UserSchema, type WalletSchema } from '@florin/proto/identity/v1/user';
import { createWords } from '@florin/rpc/contract';
import type { Term } from '../domain/terms.ts';
import type { User, Wallet } from '../domain/user.ts';
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

export const KYC_STATUSES = createWords(KycStatus);

/** A wallet without a cooling time of its own registered the user. */
export const toWireWallet = (
  { address, primary, approvesFrom }: Wallet,
  { createdAt }: Pick<User, 'createdAt'>,
): MessageInitShape<typeof WalletSchema> => ({ address, primary, approvesFrom: timestampFromDate(approvesFrom ?? createdAt) });

export const toWireUser = ({
  kycChangedAt: _changedAt,
  kycRevokedAt: _revokedAt,
  isErasing: _isErasing,
  ...user
}: User): MessageInitShape<typeof UserSchema> => ({
  ...user,
  wallets: user.wallets.map((wallet) => toWireWallet(wallet, user)),
  kycStatus: KYC_STATUSES.toValue(user.kycStatus),
  createdAt: timestampFromDate(user.createdAt),
});

export const toWireTerm = ({ version, ...term }: Term): MessageInitShape<typeof TermSchema> => ({ ...term, currentVersion: version });
