import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type BackupKey,
  COLLECTOR,
  joinOwnerSignatures,
  predictDelayModule,
  type SafeTransaction,
  safeTransactionHash,
} from '@florin/evm/safe';
import { type SafeBackupSchema, type SafeSchema, SafeStatus, type SafeTransactionSchema } from '@florin/proto/chain/v1/safe';
import type { Address } from 'viem';
import type { AccountSafe, SafePlan } from '../domain/account-safe.ts';

const STATUS = { relaying: SafeStatus.RELAYING, verified: SafeStatus.VERIFIED, deviating: SafeStatus.DEVIATING } as const;

export const toWireBackup = (safe: Address, { address: key, delay }: BackupKey): MessageInitShape<typeof SafeBackupSchema> => ({
  key,
  module: predictDelayModule(safe, delay),
  cooldownSeconds: delay.cooldownSeconds,
  expirationSeconds: delay.expirationSeconds,
});

/** @param stored undefined before the owner has signed a set-up */
export const toWireSafe = (
  { parties: { accountId, chainId, safe, owner, platform }, delay, backup, signature }: SafePlan,
  stored: Pick<AccountSafe, 'status' | 'findings' | 'verifiedAt' | 'first'> | undefined,
): MessageInitShape<typeof SafeSchema> => ({
  accountId,
  chainId,
  address: safe,
  owner,
  firstOwner: stored?.first?.owner ?? owner,
  ...(backup === undefined ? {} : { backup: toWireBackup(safe, backup) }),
  platform,
  delayModule: predictDelayModule(safe, delay),
  cooldownSeconds: delay.cooldownSeconds,
  expirationSeconds: delay.expirationSeconds,
  ...(delay.terms === undefined
    ? {}
    : {
        collection: { collector: COLLECTOR.address, treasury: delay.terms.treasury, limits: delay.terms.limits.map((one) => ({ ...one })) },
      }),
  setUpSignature: signature === undefined ? '' : joinOwnerSignatures([signature]),
  status: stored === undefined ? SafeStatus.PREDICTED : STATUS[stored.status],
  findings: [...(stored?.findings ?? [])],
  ...(stored?.verifiedAt === undefined ? {} : { verifiedAt: timestampFromDate(stored.verifiedAt) }),
});

export const toWireTransaction = (transaction: SafeTransaction): MessageInitShape<typeof SafeTransactionSchema> => {
  const { chainId, safe, to, data, operation, safeTxGas, nonce } = transaction;
  return {
    chainId,
    safe,
    to,
    data,
    operation,
    safeTxGas: safeTxGas.toString(),
    nonce: nonce.toString(),
    hash: safeTransactionHash(transaction),
  };
};
