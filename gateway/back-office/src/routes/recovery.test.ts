import {
  type ListUserRecoveryTransactionsRequest,
  RecoveryKind,
  RecoveryService,
  RecoveryStep,
  RecoveryTransactionStatus,
} from '@florin/proto/chain/v1/recovery_service';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const [BACKUP, FORMER, NEXT] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const TX_HASH = `0x${'4'.repeat(64)}`;
const at = (day: number) => ({ seconds: BigInt(Date.UTC(2026, 10, day) / 1000), nanos: 0 });
const iso = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();

/** The code with which the chain service rejects; undefined: it answers. */
let refusal: ErrorCode | undefined;

const authority = await createTestAuthority({ 'back-office': [...Object.values(CHAIN_SCOPES), ...Object.values(IDENTITY_SCOPES)] });
const identity = await startNeighbour({
  authority,
  name: 'identity',
  services: [implementPart(UserService, { getUserPartner: serviceMethod(() => ({ partnerId: 'florin' })) })],
});
const chain = await startNeighbour({
  authority,
  name: 'chain',
  services: [
    implementPart(RecoveryService, {
      listUserRecoveryTransactions: serviceMethod(({ userId }: ListUserRecoveryTransactionsRequest) => {
        if (refusal !== undefined) throw new CodedError(refusal);
        const request = { kind: RecoveryKind.REQUEST, backupKey: BACKUP, formerOwner: FORMER, newOwner: NEXT, createdAt: at(3) };
        const wait = { status: RecoveryTransactionStatus.EXECUTABLE, executableAt: at(5), expiresAt: at(12) };
        const calls = [
          { step: RecoveryStep.EXECUTION, txHash: TX_HASH },
          { step: RecoveryStep.EXCHANGE, stuck: true },
        ];
        const naming = { kind: RecoveryKind.NAMING, status: RecoveryTransactionStatus.COMPLETED, backupKey: BACKUP };
        return {
          backupKey: BACKUP,
          namedAt: at(2),
          transactions: [
            { transactionId: userId, ...request, ...wait, calls, stuck: true },
            { transactionId: userId, ...naming, createdAt: at(1), endedAt: at(2) },
          ],
        };
      }),
    }),
  ],
});

let world: World;
let office: Awaited<ReturnType<World['start']>>;
let support: Awaited<ReturnType<typeof office.operator>>;
beforeAll(async () => {
  const key = JSON.stringify(authority.serviceKey('back-office'));
  world = await createWorld({ CHAIN_URL: chain.url, IDENTITY_URL: identity.url, SERVICE_KEY: key });
  office = await world.start();
  support = await office.operator('support');
});
afterAll(async () => {
  await world.close();
  await chain.close();
  await identity.close();
});
beforeEach(() => {
  refusal = undefined;
});

const read = () => support.ask(`GET /api/people/${ID}/recovery`);

it('shows the backup key and each recovery in the file, once a reason is given, and records the read', async () => {
  expect(await read()).toMatchObject({ status: 422, body: { error: 'REASON_REQUIRED' } });
  await support.ask(`POST /api/people/${ID}/access`, { body: { reason: 'the person has lost a wallet' } });
  const exchange = { id: ID, kind: 'request', status: 'executable', formerOwner: FORMER, newOwner: NEXT, createdAt: iso(3), isStuck: true };
  const calls = [
    { step: 'execution', txHash: TX_HASH, isStuck: false },
    { step: 'exchange', isStuck: true },
  ];
  const naming = { id: ID, kind: 'naming', status: 'completed', backupKey: BACKUP, createdAt: iso(1), endedAt: iso(2) };
  expect((await read()).body).toEqual({
    backupKey: { address: BACKUP, namedAt: iso(2) },
    transactions: [
      { ...exchange, executableAt: iso(5), expiresAt: iso(12), calls },
      { ...naming, calls: [], isStuck: false },
    ],
  });
  const admin = await office.operator('admin');
  const { body } = await admin.ask(`GET /api/audit?userId=${ID}`);
  expect(body['calls']).toContainEqual(expect.objectContaining({ operation: 'people.recovery', reason: 'the person has lost a wallet' }));
});

it('is empty without an account or Safes, and fails with the service', async () => {
  await support.ask(`POST /api/people/${ID}/access`, { body: { reason: 'the person has lost a wallet' } });
  for (const code of ['ACCOUNT_NOT_FOUND', 'SAFES_NOT_AVAILABLE'] as const) {
    refusal = code;
    expect(await read()).toMatchObject({ status: 200, body: { transactions: [] } });
  }
  refusal = 'SERVICE_UNAVAILABLE';
  expect((await read()).status).toBe(503);
});
