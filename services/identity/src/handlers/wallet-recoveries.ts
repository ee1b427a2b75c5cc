import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type WalletRecoverySchema, WalletRecoveryStatus } from '@florin/proto/identity/v1/wallet_recovery_service';
import type { RecoveryStatus, WalletRecovery } from '../domain/wallet-recovery.ts';

const STATUS: Readonly<Record<RecoveryStatus, WalletRecoveryStatus>> = {
  pending: WalletRecoveryStatus.PENDING,
  approved: WalletRecoveryStatus.APPROVED,
  completed: WalletRecoveryStatus.COMPLETED,
  rejected: WalletRecoveryStatus.REJECTED,
  failed: WalletRecoveryStatus.FAILED,
};

/** The status that a number on the wire stands for; undefined for none. */
export const recoveryStatusFrom = (wire: WalletRecoveryStatus): RecoveryStatus | undefined =>
  Object.entries(STATUS).find(([, value]) => value === wire)?.[0] as RecoveryStatus | undefined;

export const toWireRecovery = ({
  status,
  createdAt,
  updatedAt,
  ...recovery
}: WalletRecovery): MessageInitShape<typeof WalletRecoverySchema> => ({
  ...recovery,
  status: STATUS[status],
  createdAt: timestampFromDate(createdAt),
  updatedAt: timestampFromDate(updatedAt),
});
