import { type Recovery, type RecoveryChallenge, RecoveryStatus } from '@florin/proto/chain/v1/recovery_service';
import { undefinedOn } from '@florin/rpc/client';
import type { ErrorCode } from '@florin/rpc/errors';
import { z } from 'zod';
import { requireChain } from '../../clients/chain.ts';
import { defineRoute } from '../../http/define-route.ts';
import { address, addressInput, DONE, dateTime, done, id, present, signature, toIso } from '../../schemas/fields.ts';
import { backup, safeTypedData, toBackup, toSafeTypedData } from '../../schemas/safe.ts';
import { typedDataQuery } from '../../schemas/typed-message.ts';
import { wordsOf } from '../../schemas/words.ts';

const challenge = z
  .object({
    transactionId: id,
    typedData: safeTypedData,
    signer: address.meta({ description: 'The key that signs it: the owner of the Safe, or the backup key' }),
    provenKey: address.optional().meta({
      description:
        'The key that signs the same typed data, which proves that it can sign: the backup key that is named, or the wallet that becomes the owner; absent in a stop',
    }),
    expiresAt: dateTime.meta({ description: 'Until when the signature is accepted' }),
    backup: backup.optional().meta({ description: 'The backup key as the naming leads to it; absent in the other steps' }),
  })
  .meta({ id: 'RecoveryChallenge' });

const toChallenge = (wire: RecoveryChallenge | undefined, withDomainType: boolean): z.output<typeof challenge> => {
  const { transactionId, transaction, signer, provenKey, expiresAt, backup: named } = present(wire, 'challenge');
  const typedData = toSafeTypedData(present(transaction, 'transaction'), withDomainType);
  return {
    transactionId,
    typedData,
    signer,
    ...(provenKey === '' ? {} : { provenKey }),
    expiresAt: toIso(expiresAt),
    ...(named === undefined ? {} : { backup: toBackup(named) }),
  };
};

const recoveryStatus = wordsOf(RecoveryStatus);

const recovery = z
  .object({
    recoveryId: id,
    status: recoveryStatus.schema.meta({
      description:
        '`requested` until the request is on the chain, `waiting` until it is executed, `completed` once the owner is exchanged, `cancelled` if it was stopped or has expired',
    }),
    newOwner: address.meta({ description: 'The wallet that becomes the owner' }),
    createdAt: dateTime,
    executableAt: dateTime.optional().meta({ description: 'When the owner can be exchanged; absent before it waits on the chain' }),
  })
  .meta({ id: 'Recovery' });

const toRecovery = ({ recoveryId, status, newOwner, createdAt, executableAt }: Recovery): z.output<typeof recovery> => ({
  recoveryId,
  status: recoveryStatus.toWord(status),
  newOwner,
  createdAt: toIso(createdAt),
  ...(executableAt === undefined ? {} : { executableAt: toIso(executableAt) }),
});

const ERRORS: readonly ErrorCode[] = ['ACCOUNT_NOT_FOUND', 'RECOVERY_NOT_AVAILABLE', 'SAFE_NOT_VERIFIED', 'SAFES_NOT_AVAILABLE'];

export const createBackupKeyChallenge = defineRoute({
  operationId: 'createBackupKeyChallenge',
  method: 'post',
  path: '/user/account/backup-key/challenge',
  tag: 'User Account',
  summary: 'Create the naming of a backup key to sign',
  description:
    "Returns EIP-712 typed data of the Safe's transaction that names a backup key, for the owner's wallet and the backup key to sign within ten minutes. If the wallet is lost later, the backup key and the platform together exchange it, after a waiting time. In return, leaving without the platform takes that time longer, and the file for leaving has to be kept anew once `deployment.backup` of the account shows the key. A backup key is a plain wallet that is kept apart from the owner's, and cannot be changed yet. Its signature (`proof`) shows that it can sign.",
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  body: z.object({ backupKey: addressInput }),
  answers: { 200: challenge },
  errors: [...ERRORS, 'ACCOUNT_NOT_ACTIVE'],
  handler: async ({ query, body }, { upstream, asCaller }) => {
    const made = await requireChain(upstream.recoveries).createBackupKeyChallenge(body, asCaller);
    return toChallenge(made.challenge, query.domainType === 'true');
  },
});

export const createRecoveryChallenge = defineRoute({
  operationId: 'createRecoveryChallenge',
  method: 'post',
  path: '/user/account/recovery/challenge',
  tag: 'User Account',
  summary: 'Create the recovery of the Safe to sign',
  description:
    "Returns EIP-712 typed data by which the backup key requests that the wallet of the session becomes the owner of the caller's Safe, for the backup key and that wallet to sign within ten minutes. Possible once the operator has replaced the lost wallet of the user, which stops the account, and in a session of the replacement. After the waiting time the platform executes the exchange; then the account can be unblocked.",
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  answers: { 200: challenge },
  errors: ERRORS,
  handler: async ({ query }, { upstream, asCaller }) => {
    const made = await requireChain(upstream.recoveries).createRecoveryChallenge({}, asCaller);
    return toChallenge(made.challenge, query.domainType === 'true');
  },
});

export const createCancellationChallenge = defineRoute({
  operationId: 'createCancellationChallenge',
  method: 'post',
  path: '/user/account/recovery/cancellation/challenge',
  tag: 'User Account',
  summary: 'Create the stop of a recovery to sign',
  description:
    "Returns EIP-712 typed data of the Safe's transaction that stops the recovery which waits, for the wallet that is still the Safe's owner to sign within ten minutes. The session has to be of the wallet that replaced it.",
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  answers: { 200: challenge },
  errors: ERRORS,
  handler: async ({ query }, { upstream, asCaller }) => {
    const made = await requireChain(upstream.recoveries).createCancellationChallenge({}, asCaller);
    return toChallenge(made.challenge, query.domainType === 'true');
  },
});

export const submitRecoveryTransaction = defineRoute({
  operationId: 'submitRecoveryTransaction',
  method: 'post',
  path: '/user/account/recovery',
  tag: 'User Account',
  summary: 'Submit a signed step of a recovery',
  description:
    'Takes the signatures over the typed data of one of the challenges: that of `signer`, and as `proof` that of `provenKey`, if the challenge has one. The platform signs too, and pays for the execution. `deployment.backup` of the account shows a named backup key once its transaction is final, `GET /user/account/recovery` a recovery. A repeat changes nothing.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({
    transactionId: id,
    signature,
    proof: signature.optional().meta({ description: 'The signature of `provenKey` over the same typed data' }),
  }),
  answers: { 200: done },
  errors: [...ERRORS, 'ACCOUNT_NOT_ACTIVE', 'INVALID_SIGNATURE', 'NOT_FOUND', 'WITHDRAWAL_IN_PROGRESS'],
  handler: async ({ body }, { upstream, asCaller }) => {
    await requireChain(upstream.recoveries).submitRecoveryTransaction({ ...body, proof: body.proof ?? '' }, asCaller);
    return DONE;
  },
});

export const getRecovery = defineRoute({
  operationId: 'getRecovery',
  method: 'get',
  path: '/user/account/recovery',
  tag: 'User Account',
  summary: 'Get the newest recovery',
  description: "Returns the newest recovery of the caller's Safe; `recovery` is absent before the first one.",
  policy: 'user',
  answers: { 200: z.object({ recovery: recovery.optional() }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const found = upstream.recoveries && (await undefinedOn('SAFES_NOT_AVAILABLE', upstream.recoveries.getCurrentRecovery({}, asCaller)));
    return found?.recovery === undefined ? {} : { recovery: toRecovery(found.recovery) };
  },
});
