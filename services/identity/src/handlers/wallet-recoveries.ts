import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type WalletRecoverySchema, WalletRecoveryStatus } from '@florin/proto/identity/v1/wallet_recovery_service';
import { createWords } from '@florin/rpc/contract';
import type { WalletRecovery } from '../domain/wallet-recovery.ts';

const STATUSES = createWords(WalletRecoveryStatus);

/** The status that a number on the wire stands for; undefined for none. */
export const recoveryStatusFrom = STATUSES.toWord;

export const toWireRecovery = ({
  status,
  createdAt,
  updatedAt,
  ...recovery
}: WalletRecovery): MessageInitShape<typeof WalletRecoverySchema> => ({
  ...recovery,
  status: STATUSES.toValue(status),
  createdAt: timestampFromDate(createdAt),
  updatedAt: timestampFromDate(updatedAt),
});
