import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { type ResolveHaltRequest, WatchService } from '@florin/proto/chain/v1/watch_service';
import { processEnvironment } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour, testPort, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditCalls, HaltOrder } from '../contract/index.ts';
import { type Browser, createBrowser } from '../testing/browser.ts';
import { type BackOffice, createWorld, ORIGIN, type World } from '../testing/world.ts';

/** A process of the back office is killed while it approves that a halted chain goes on. Its clock is the machine's, and so is that of the others. */

/** Enough on a machine with other work. */
const LONG_MS = 480_000;
const REASON = 'the finalized branch was replaced';
const KILLER = createRequire(import.meta.url).resolve('@florin/data/testing/kill-at-step');
const MAIN = new URL('../main.ts', import.meta.url).pathname;

/** Collections that an approval writes: the action, the calls in the audit log with their outcomes, and the order. */
const COLLECTIONS = 'actions,audit_events,halt_orders';

/** The chain service resolves a halt once (services/chain/src/resolving/resolve-halt.test.ts kills it at every step). */
const chain = { isHalted: true, done: 0, before: () => undefined as unknown, after: () => undefined as unknown };

const authority = await createTestAuthority({ 'back-office': Object.values(CHAIN_SCOPES) });
const service = await startNeighbour({
  authority,
  name: 'chain',
  services: [
    implementPart(WatchService, {
      resolveHalt: serviceMethod(async ({ fromBlock, dryRun }: ResolveHaltRequest) => {
        if (!chain.isHalted) throw new CodedError('CHAIN_NOT_HALTED');
        if (!dryRun) {
          await chain.before();
          Object.assign(chain, { isHalted: false, done: chain.done + 1 });
          await chain.after();
        }
        return { resumeBlock: fromBlock - 1n, resumeHash: `0x${'a'.repeat(64)}`, kept: 2, vanished: [], resumed: !dryRun };
      }),
    }),
  ],
});

type Operator = Awaited<ReturnType<BackOffice['operator']>>;
let world: World;
let office: BackOffice;
let maker: Operator;
beforeAll(async () => {
  world = await createWorld({ CHAIN_URL: service.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
  office = await world.start({ runtime: { now: () => new Date() } });
  maker = await office.operator('finance', 'admin');
}, LONG_MS);
afterAll(async () => {
  await world?.close();
  await service.close();
});

const send = (operator: Pick<Browser, 'ask'>, path: string, body: object = {}, key: string = crypto.randomUUID()) =>
  operator.ask(`POST /api/chain/halts${path}`, { headers: { 'idempotency-key': key }, body: { reason: REASON, ...body } });

/** Repeats what a busy machine has not answered in time, as its sender would. */
const act = async (...call: Parameters<typeof send>) => {
  const [operator, path, body, key = crypto.randomUUID()] = call;
  for (;;) {
    const answer = await send(operator, path, body, key);
    if (answer.status !== 503 && answer.status !== 504) return answer;
  }
};

const read = async (id: string): Promise<HaltOrder | undefined> =>
  ((await maker.ask('GET /api/chain/halts')).body as { orders: HaltOrder[] }).orders.find((one) => one.id === id);

/** A process of its own that is killed just before its write number `step`, and a browser at it; with 0 it is not killed. */
const startVictim = async (step: number): Promise<{ process: ChildProcess; url: string; output: () => string }> => {
  const port = await testPort();
  const { NODE_COMPILE_CACHE } = processEnvironment();
  const env = { NODE_COMPILE_CACHE, ...world.environment, PORT: String(port), KILL_AT_STEP: String(step), KILL_COLLECTIONS: COLLECTIONS };
  const victim = spawn(process.execPath, ['--import', KILLER, MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  victim.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
  });
  const url = `http://127.0.0.1:${port}`;
  const visitor = createBrowser(url, ORIGIN);
  const answers = async () => ((await visitor.ask('GET /api/sign-in').catch(() => undefined))?.status === 200 ? true : undefined);
  await waitFor('the process to answer', answers, LONG_MS);
  return { process: victim, url, output: () => output };
};

/** The browser of an operator at another process: a session is known to all of them. */
const at = (url: string, { cookies }: Operator): Browser => {
  const browser = createBrowser(url, ORIGIN);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

/** A halted chain, the order that it goes on, and somebody who is to approve it. */
const prepare = async () => {
  Object.assign(chain, { isHalted: true, done: 0, before: () => undefined, after: () => undefined });
  maker = await office.operator('finance', 'admin');
  const { status, body } = await act(maker, '', { chainId: 100, fromBlock: '8' });
  expect([status, body['status']]).toEqual([200, 'pending']);
  return { id: String(body['actionId']), approver: await office.operator('finance'), rival: await office.operator('finance') };
};

/** How many writes an approval makes that nobody interrupts or has to repeat. */
const countSteps = async (): Promise<number> => {
  for (;;) {
    const { id, approver } = await prepare();
    const victim = await startVictim(0);
    const { status } = await send(at(victim.url, approver), `/${id}/approve`);
    const ended = once(victim.process, 'exit');
    victim.process.kill('SIGTERM');
    await ended;
    if (status === 200) return Number(/^steps (\d+)$/m.exec(victim.output())?.[1]);
    expect(status).toBeGreaterThanOrEqual(503);
  }
};

/** Has an order approved by a process that is killed meanwhile, and then by its approver and by somebody else at once. @returns what the kill had left behind */
const killAndRepeat = async (step: number, point: 'write' | 'before' | 'after' = 'write'): Promise<string> => {
  const { id, approver, rival } = await prepare();
  const victim = await startVictim(step);
  const ended = once(victim.process, 'exit');
  if (point !== 'write') {
    chain[point] = async () => {
      chain[point] = () => undefined;
      victim.process.kill('SIGKILL');
      await ended;
      if (point === 'before') throw new CodedError('SERVICE_UNAVAILABLE');
    };
  }
  const key = crypto.randomUUID();
  const answer = await act(at(victim.url, approver), `/${id}/approve`, {}, key).then(
    ({ status }) => status,
    () => 'no answer',
  );
  expect([answer, (await ended)[1]]).toEqual(['no answer', 'SIGKILL']);

  const left = await read(id);
  const met = `${left?.status} ${chain.done}`;
  const [again, other] = await Promise.all([act(approver, `/${id}/approve`, {}, key), act(rival, `/${id}/approve`)]);
  const isOther = left?.status === 'pending' && other.status === 200;
  expect([again.status, other.status, chain.done]).toEqual([...(isOther ? [409, 200] : [200, 409]), 1]);
  const winner = isOther ? rival : approver;
  expect(await read(id)).toMatchObject({ status: 'resolved', decidedBy: `operator:${winner.id}` });
  expect((await act(winner, `/${id}/approve`)).body).toMatchObject({ status: 'resolved' });
  expect(chain.done).toBe(1);

  const { calls } = (await maker.ask('GET /api/audit')).body as AuditCalls;
  const own = calls.filter(({ subjects, operation }) => operation === 'chain.approve-halt' && subjects['halt_order_id'] === id);
  const approvers = own.flatMap(({ outcome, operatorId }) => (outcome?.code === 'OK' ? [operatorId] : []));
  expect([...new Set(approvers)]).toEqual([winner.id]);
  expect((await maker.ask('GET /api/audit/verification')).body).toMatchObject({ firstBadSequence: 0 });
  return met;
};

it('an approval that is killed before any of its writes ends once, by one operator', { timeout: LONG_MS }, async () => {
  const steps = await countSteps();
  // The action, the call, the approval, its end, the outcome of the call, and that of the action.
  expect(steps).toBeGreaterThanOrEqual(6);
  const met = new Set<string>();
  for (let step = 1; step <= steps; step += 1) met.add(await killAndRepeat(step));
  expect([...met].sort()).toEqual(['approved 1', 'pending 0', 'resolved 1']);
});

it.each([
  ['before the chain service has done anything', 'before', 'approved 0'],
  ['before it hears what the chain service has done', 'after', 'approved 1'],
] as const)('an approval that is killed %s ends once, by one operator', { timeout: LONG_MS }, async (_when, point, met) => {
  expect(await killAndRepeat(0, point)).toBe(met);
});
