import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { safeTransactionHash } from '@florin/evm/safe';
import { canonicalSignature, recoverSigner } from '@florin/evm/signatures';
import {
  type CreateBackupKeyChallengeRequest,
  type CreateCancellationChallengeRequest,
  type CreateRecoveryChallengeRequest,
  type GetCurrentRecoveryRequest,
  type ListUserRecoveryTransactionsRequest,
  RecoveryKind,
  RecoveryService,
  RecoveryStatus,
  RecoveryStep,
  RecoveryTransactionStatus,
  type SubmitRecoveryTransactionRequest,
} from '@florin/proto/chain/v1/recovery_service';
import { createWords, requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, userMethod } from '@florin/rpc/server';
import { type Address, getAddress, type Hex, isAddress } from 'viem';
import type { RecoveryTransaction } from '../domain/recovery.ts';
import type { RecoveryRecord } from '../recovering/recovery-history.ts';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';
import { toWireBackup, toWireTransaction } from './to-wire-safe.ts';

const toChallenge = async (offered: Promise<RecoveryTransaction>) => {
  const { id: transactionId, kind, control, transaction, signer, provenKey = '', expiresAt } = await onNodes(offered);
  const named = kind === 'naming' && control?.backup !== undefined ? { backup: toWireBackup(transaction.safe, control.backup) } : {};
  return {
    challenge: {
      transactionId,
      transaction: toWireTransaction(transaction),
      signer,
      provenKey,
      expiresAt: timestampFromDate(expiresAt),
      ...named,
    },
  };
};

/** Freezes the naming of a backup key. */
const createBackupKeyChallenge = (dependencies: Dependencies) =>
  userMethod(async ({ backupKey }: CreateBackupKeyChallengeRequest, { caller: { userId, wallet } }) => {
    const problem = 'must be an EVM address, with the right checksum if it has mixed case (EIP-55)';
    requireFields({ backup_key: isAddress(backupKey) ? undefined : problem });
    const { account, recoveries } = await requireOwnSafe(dependencies, userId);
    return toChallenge(recoveries.offerNaming({ userId, wallet, account }, getAddress(backupKey)));
  });

/** Freezes the request to make the caller's wallet the owner. */
const createRecoveryChallenge = (dependencies: Dependencies) =>
  userMethod(async (_request: CreateRecoveryChallengeRequest, { caller: { userId, wallet } }) => {
    const { account, recoveries } = await requireOwnSafe(dependencies, userId);
    return toChallenge(recoveries.offerRequest({ userId, wallet, account }));
  });

/** Freezes the stop of a recovery. */
const createCancellationChallenge = (dependencies: Dependencies) =>
  userMethod(async (_request: CreateCancellationChallengeRequest, { caller: { userId, wallet } }) => {
    const { account, recoveries } = await requireOwnSafe(dependencies, userId);
    return toChallenge(recoveries.offerCancellation({ userId, wallet, account }));
  });

/** The signature of a key over a transaction. @throws CodedError INVALID_SIGNATURE */
const requireSignature = async ({ transaction }: RecoveryTransaction, key: Address, text: string): Promise<Hex> => {
  const signature = canonicalSignature(text);
  if (signature === undefined || (await recoverSigner(safeTransactionHash(transaction), signature)) !== key)
    throw new CodedError('INVALID_SIGNATURE', { message: `a signature of ${key} over the transaction is missing` });
  return signature;
};

/** Carries out a transaction that the caller has signed, with the key that it gives rights to. */
const submitRecoveryTransaction = (dependencies: Dependencies) =>
  userMethod(async ({ transactionId, signature: text, proof: proofText }: SubmitRecoveryTransactionRequest, { caller: { userId } }) => {
    const { account, recoveries } = await requireOwnSafe(dependencies, userId);
    const offered = await recoveries.find(transactionId);
    if (offered === undefined || offered.userId !== userId || offered.accountId !== account.id) throw new CodedError('NOT_FOUND');
    const signature = await requireSignature(offered, offered.signer, text);
    const { provenKey } = offered;
    const proof = provenKey === undefined ? {} : { proof: await requireSignature(offered, provenKey, proofText) };
    await onNodes(recoveries.submit(offered, { signature, ...proof }));
    return {};
  });

const statusOf = ({ status, executableAt }: RecoveryTransaction): RecoveryStatus => {
  if (status === 'completed') return RecoveryStatus.COMPLETED;
  if (status === 'cancelled') return RecoveryStatus.CANCELLED;
  return executableAt === undefined ? RecoveryStatus.REQUESTED : RecoveryStatus.WAITING;
};

/** The newest recovery of the caller's account. */
const getCurrentRecovery = (dependencies: Dependencies) =>
  userMethod(async (_request: GetCurrentRecoveryRequest, { caller: { userId } }) => {
    const { account, recoveries } = await requireOwnSafe(dependencies, userId);
    const found = await recoveries.latestRequest(account.id);
    if (found === undefined) return {};
    const { id: recoveryId, control, createdAt, executableAt } = found;
    const times = {
      createdAt: timestampFromDate(createdAt),
      ...(executableAt === undefined ? {} : { executableAt: timestampFromDate(executableAt) }),
    };
    return { recovery: { recoveryId, status: statusOf(found), newOwner: control?.owner ?? '', ...times } };
  });

const KINDS = createWords(RecoveryKind);
const STATES = createWords(RecoveryTransactionStatus);
const STEPS = createWords(RecoveryStep);

const toWireRecord = ({ transaction, state, formerOwner, executableUntil, calls, isStuck: stuck }: RecoveryRecord) => {
  const { id: transactionId, kind, control, createdAt, executableAt, endedAt } = transaction;
  return {
    transactionId,
    kind: KINDS.toValue(kind),
    status: STATES.toValue(state),
    backupKey: control?.backup?.address ?? '',
    formerOwner: formerOwner ?? '',
    newOwner: kind === 'request' ? (control?.owner ?? '') : '',
    createdAt: timestampFromDate(createdAt),
    ...(executableAt === undefined ? {} : { executableAt: timestampFromDate(executableAt) }),
    ...(executableUntil === undefined ? {} : { expiresAt: timestampFromDate(executableUntil) }),
    ...(endedAt === undefined ? {} : { endedAt: timestampFromDate(endedAt) }),
    calls: calls.map(({ step, txHash, isStuck }) => ({ step: STEPS.toValue(step), txHash: txHash ?? '', stuck: isStuck })),
    stuck,
  };
};

/** The backup key of a user's account, and what was signed for its recovery. */
const listUserRecoveryTransactions = ({ keeper, accounts }: Dependencies) =>
  serviceMethod(async ({ userId }: ListUserRecoveryTransactionsRequest) => {
    const { id, chainId } = await accounts.ofUser(userId);
    const recoveries = keeper?.recoveriesOn(chainId);
    if (recoveries === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
    const { backupKey, namedAt, records } = await recoveries.historyOf(id);
    const named = namedAt === undefined ? {} : { namedAt: timestampFromDate(namedAt) };
    return { backupKey: backupKey ?? '', ...named, transactions: records.map(toWireRecord) };
  });

/** Implementation of the contract `RecoveryService`. */
export const recoveryService = (dependencies: Dependencies): ServiceImplementation =>
  implement(RecoveryService, {
    createBackupKeyChallenge: createBackupKeyChallenge(dependencies),
    createRecoveryChallenge: createRecoveryChallenge(dependencies),
    createCancellationChallenge: createCancellationChallenge(dependencies),
    submitRecoveryTransaction: submitRecoveryTransaction(dependencies),
    getCurrentRecovery: getCurrentRecovery(dependencies),
    listUserRecoveryTransactions: listUserRecoveryTransactions(dependencies),
  });
