import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AuditCall, AuditCalls } from '@florin/back-office/contract';
import { createBrowser } from '@florin/back-office/testing/browser';
import { inviteOperator } from '@florin/back-office/testing/invite';
import type { Environment } from '@florin/rpc/config';
import { testPort, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { type Person, registerPerson } from '../support/story.ts';
import { startTroubledService, type Trouble } from '../support/troubled-service.ts';

/** A process of the back office is killed in the middle of actions. Its clock is the machine's, and so is that of the others. */

/** Enough on a machine with other work. */
const LONG_MS = 240_000;
const REASON = 'a fee was charged twice by mistake';
const AMOUNT = '1000';
const MAIN = new URL('../../gateway/back-office/src/main.ts', import.meta.url).pathname;

let platform: PlatformInProcess;
let ledger: Awaited<ReturnType<typeof startTroubledService>>;
let environment: Environment;
let office: ChildProcess | undefined;
let operator: ReturnType<typeof createBrowser>;
let person: Person;
let accountId: string;

const kill = async (): Promise<void> => {
  if (office === undefined || office.exitCode !== null || office.signalCode !== null) return;
  const ended = once(office, 'exit');
  office.kill('SIGKILL');
  await ended;
};

/** Starts the process, and waits until it answers. */
const start = async (): Promise<void> => {
  office = spawn(process.execPath, [MAIN], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  const answers = async () => ((await operator.ask('GET /api/sign-in').catch(() => undefined))?.status === 200 ? true : undefined);
  await waitFor('the back office to answer', answers, LONG_MS);
};

beforeAll(async () => {
  const clock = { now: () => new Date(), advanceSeconds: () => undefined };
  platform = await startPlatformInProcess({}, { clock });
  ledger = await startTroubledService(platform.urls['LEDGER_URL'] ?? '');
  const port = await testPort();
  const origin = `http://localhost:${port}`;
  environment = { ...platform.environment('back-office', port), BACK_OFFICE_URL: origin, LEDGER_URL: ledger.url };
  operator = createBrowser(`http://127.0.0.1:${port}`, origin);
  await start();
  const link = await inviteOperator(environment, 'olga@example.org', ['finance', 'admin']);
  expect(await operator.enrol(link)).toMatchObject({ status: 200 });
  person = await registerPerson(platform.api);
  await operator.ask(`POST /api/people/${person.userId}/access`, { body: { reason: REASON } });
  const { body } = await operator.ask(`GET /api/people/${person.userId}`);
  accountId = (body['account'] as { id: string }).id;
}, LONG_MS);
afterAll(async () => {
  await kill();
  await ledger?.close();
  await platform?.close();
});

/** Orders that a small amount is moved to the person. */
const order = (key: string) => {
  const transfers = [{ debit: 'settlement', credit: accountId, token: 'EURe', amount: AMOUNT }];
  return operator.ask('POST /api/adjustments', { headers: { 'idempotency-key': key }, body: { transfers, reason: REASON } });
};

/** Entries of the person's account: one for each time that money was moved. */
const entries = async (): Promise<number> => {
  const { body } = await operator.ask(`GET /api/people/${person.userId}/entries`);
  return (body['entries'] as unknown[]).length;
};

/** The orders of the audit log, newest first. */
const recordedOrders = async (): Promise<AuditCall[]> => {
  const { body } = await operator.ask('GET /api/audit');
  return (body as AuditCalls).calls.filter(({ operation }) => operation === 'money.order');
};

it.each<[string, Trouble]>([
  ['before the ledger has seen the order', 'silent'],
  ['after the ledger has booked the order', 'mute'],
])(
  'a process that is killed %s leaves an order without an outcome, and its repeat takes effect once',
  { timeout: LONG_MS },
  async (_when, trouble) => {
    const before = { entries: await entries(), orders: (await recordedOrders()).length };
    const key = randomUUID();
    const reached = ledger.requests();
    ledger.set(trouble);
    const unanswered = order(key).then(
      ({ status }) => status,
      () => 'no answer',
    );
    const isAsked = () => (trouble === 'mute' ? ledger.heard() > 0 : ledger.requests() > reached);
    await waitFor('the ledger to be asked', async () => (isAsked() ? true : undefined), LONG_MS);
    await kill();
    if (trouble === 'mute') await waitFor('the ledger to book', async () => (ledger.unsaid() > 0 ? true : undefined), LONG_MS);
    expect(await unanswered).toBe('no answer');

    ledger.set('none');
    await start();
    // The sessions of operators outlive the process; the order stands in the log, and nobody claims to know how it ended.
    const [interrupted, ...earlier] = await recordedOrders();
    expect(interrupted).toMatchObject({ operation: 'money.order', reason: REASON });
    expect(interrupted).not.toHaveProperty('outcome');
    expect(earlier).toHaveLength(before.orders);

    const repeated = await order(key);
    expect(repeated).toMatchObject({ status: 200, body: { status: 'booked', actionId: interrupted?.subjects['action_id'] } });
    expect((await order(key)).body).toEqual(repeated.body);
    expect(await entries()).toBe(before.entries + 1);
    const [ended, first] = await recordedOrders();
    expect(ended).toMatchObject({ subjects: interrupted?.subjects, outcome: { code: 'OK' } });
    expect(first).toEqual(interrupted);
    const { body } = await operator.ask('GET /api/audit/verification');
    expect(body).toMatchObject({ firstBadSequence: 0 });
  },
);
