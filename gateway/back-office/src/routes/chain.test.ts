import { create } from '@bufbuild/protobuf';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionKind, ExceptionStatus, TransferDirection, WatchExceptionSchema, WatchState } from '@florin/proto/chain/v1/watch';
import {
  type CloseExceptionRequest,
  type ListExceptionsRequest,
  type RetryExceptionRequest,
  type ReturnDepositRequest,
  WatchService,
} from '@florin/proto/chain/v1/watch_service';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, createWorld, type World } from '../testing/world.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const REASON = 'agreed with the owner of the account';
const exception = create(WatchExceptionSchema, {
  id: ID,
  kind: ExceptionKind.REFUSED,
  status: ExceptionStatus.OPEN,
  code: 'ACCOUNT_CLOSED',
  accountId: ID,
  chainId: 100,
  txHash: `0x${'1'.repeat(64)}`,
  direction: TransferDirection.IN,
  counterparty: `0x${'2'.repeat(40)}`,
  token: 'EURe',
  amount: '1000000000000000000',
});

const authority = await createTestAuthority({ 'back-office': Object.values(CHAIN_SCOPES) });
const asked: unknown[] = [];
const chain = await startNeighbour({
  authority,
  name: 'chain',
  services: [
    implementPart(WatchService, {
      listChainWatches: serviceMethod(() => ({
        watches: [{ chainId: 100, state: WatchState.WATCHING, blockNumber: 7n, finalizedBlockNumber: 9n, nodes: 2 }],
      })),
      listExceptions: serviceMethod(({ status }: ListExceptionsRequest) => {
        asked.push(status);
        return { exceptions: [exception], page: { nextCursor: 'more' } };
      }),
      retryException: serviceMethod(({ exceptionId, actor }: RetryExceptionRequest) => {
        asked.push({ exceptionId, actor });
        return { exception: { ...exception, status: ExceptionStatus.CLOSED } };
      }),
      returnDeposit: serviceMethod(({ exceptionId, actor, note }: ReturnDepositRequest) => {
        asked.push({ exceptionId, actor, note });
        return { exception };
      }),
      closeException: serviceMethod(({ exceptionId, actor, note, booked }: CloseExceptionRequest) => {
        asked.push({ exceptionId, actor, note, booked });
        return { exception: { ...exception, status: ExceptionStatus.CLOSED } };
      }),
    }),
  ],
});

let world: World;
let office: BackOffice;
let finance: Awaited<ReturnType<BackOffice['operator']>>;
beforeAll(async () => {
  world = await createWorld({ CHAIN_URL: chain.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
  office = await world.start();
  finance = await office.operator('finance');
});
afterAll(async () => {
  await world.close();
  await chain.close();
});

const act = (path: string, body: object) =>
  finance.ask(`POST /api/chain/exceptions/${ID}/${path}`, { headers: { 'idempotency-key': crypto.randomUUID() }, body });

describe('watched chains', () => {
  it('are shown with what needs a person', async () => {
    const watch = { chainId: 100, state: 'watching', problem: '', blockNumber: '7', finalizedBlockNumber: '9', nodes: 2 };
    expect((await finance.ask('GET /api/chain')).body).toEqual({ watches: [watch] });
    const { body } = await finance.ask('GET /api/chain/exceptions?status=open');
    expect(body).toMatchObject({
      exceptions: [
        {
          id: ID,
          kind: 'refused',
          status: 'open',
          direction: 'in',
          amount: { token: 'EURe', amount: '1000000000000000000', decimals: 18, currency: 'EUR' },
        },
      ],
      nextCursor: 'more',
    });
    expect(asked.pop()).toBe(ExceptionStatus.OPEN);
    expect((await finance.ask('GET /api/chain/exceptions?status=odd')).status).toBe(422);
  });

  it('are empty without a chain service, where nothing can be decided', async () => {
    const own = await createWorld();
    const operator = await (await own.start()).operator('finance');
    expect((await operator.ask('GET /api/chain')).body).toEqual({ watches: [] });
    expect((await operator.ask('GET /api/chain/exceptions')).body).toEqual({ exceptions: [] });
    const retry = { headers: { 'idempotency-key': crypto.randomUUID() }, body: { reason: REASON } };
    expect((await operator.ask(`POST /api/chain/exceptions/${ID}/retry`, retry)).status).toBe(404);
    await own.close();
  });
});

describe('a transfer that needs a person', () => {
  it('is booked again or closed in the name of the operator', async () => {
    expect(await act('retry', { reason: REASON })).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(asked.pop()).toEqual({ exceptionId: ID, actor: `operator:${finance.id}` });
    expect(await act('return', { reason: REASON })).toMatchObject({ status: 200, body: { status: 'open' } });
    expect(asked.pop()).toEqual({ exceptionId: ID, actor: `operator:${finance.id}`, note: REASON });
    expect(await act('close', { reason: REASON, booked: true })).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(asked.pop()).toEqual({ exceptionId: ID, actor: `operator:${finance.id}`, note: REASON, booked: true });
    expect(await act('close', { reason: REASON })).toMatchObject({ status: 422 });
  });
});
