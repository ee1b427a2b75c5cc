import {
  type ListUserRecoveryTransactionsResponse,
  RecoveryKind,
  RecoveryStep,
  RecoveryTransactionStatus,
} from '@florin/proto/chain/v1/recovery_service';
import type { Recovery } from '../contract/index.ts';
import { isoOf, isoUnlessAbsent, unlessEmpty, wordOf } from './words.ts';

/** The backup key of an account, and what was signed for its recovery. */
export const toRecovery = (found: ListUserRecoveryTransactionsResponse | undefined): Recovery => ({
  ...(found === undefined || found.backupKey === ''
    ? {}
    : { backupKey: { address: found.backupKey, ...isoUnlessAbsent('namedAt', found.namedAt) } }),
  transactions: (found?.transactions ?? []).map((one) => ({
    id: one.transactionId,
    kind: wordOf(RecoveryKind, one.kind),
    status: wordOf(RecoveryTransactionStatus, one.status),
    ...(one.kind === RecoveryKind.NAMING ? unlessEmpty('backupKey', one.backupKey) : {}),
    ...unlessEmpty('formerOwner', one.formerOwner),
    ...unlessEmpty('newOwner', one.newOwner),
    createdAt: isoOf(one.createdAt),
    ...isoUnlessAbsent('executableAt', one.executableAt),
    ...isoUnlessAbsent('expiresAt', one.expiresAt),
    ...isoUnlessAbsent('endedAt', one.endedAt),
    calls: one.calls.map(({ step, txHash, stuck: isStuck }) => ({
      step: wordOf(RecoveryStep, step),
      ...unlessEmpty('txHash', txHash),
      isStuck,
    })),
    isStuck: one.stuck,
  })),
});
