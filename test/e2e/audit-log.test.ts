import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { type ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { createAuditLog, startAuditHeads } from '@florin/data/audit';
import { openStore } from '@florin/data/store';
import { verifyAuditLogs } from '@florin/local/verify-audit-logs';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { serviceKeySchema } from '@florin/rpc/auth';
import type { Environment } from '@florin/rpc/config';
import { fromWire } from '@florin/rpc/errors';
import { createLogger } from '@florin/rpc/observe';
import { REASON_HEADER } from '@florin/rpc/server';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBackOffice } from '../support/back-office.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

/** RPCs that need no token: nobody is identified, and nothing is shown that is not published. */
const PUBLIC = [
  'florin.audit.v1.AuditService/GetAuditHead',
  'florin.card.v1.CardService/GetProgram',
  'florin.identity.v1.OnboardingService/GetRequirements',
  'florin.identity.v1.PartnerClientService/GetPartnerClient',
  'florin.identity.v1.TermsService/ListTerms',
  'florin.ledger.v1.BalanceService/GetAssets',
  'florin.ledger.v1.JournalService/ListHeads',
  'florin.ledger.v1.InstanceService/ProveInstance',
  'florin.notifications.v1.NotificationService/GetPushKey',
  'florin.vault.v1.CardDataService/ListVaultKeys',
];

const GENERATED = new URL('../../proto/gen/florin/', import.meta.url).pathname;

/** Every service of every contract. */
const contracts = async (): Promise<DescService[]> => {
  const files = (await readdir(GENERATED, { recursive: true })).filter((file) => file.endsWith('_service_pb.ts'));
  const modules = await Promise.all(files.map(async (file) => (await import(join(GENERATED, file))) as Record<string, unknown>));
  return modules.flatMap((module) =>
    Object.values(module).filter((value): value is DescService => (value as { kind?: unknown } | undefined)?.kind === 'service'),
  );
};

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({}, { people: ['ada', 'bob'] });
});
afterAll(() => platform?.close());

const SERVICES = ['identity', 'card', 'ledger', 'threeds', 'vault'] as const;
const transports = new Map<string, Transport>();
const transportOf = (service: (typeof SERVICES)[number]): Transport => {
  const known = transports.get(service) ?? createGrpcTransport({ baseUrl: platform.urls[`${service.toUpperCase()}_URL`] ?? '' });
  transports.set(service, known);
  return known;
};

const headersOf = async (person: string, service: (typeof SERVICES)[number], reason = 'a walk over every RPC') => ({
  authorization: `Bearer ${await platform.personToken(person, service)}`,
  [REASON_HEADER]: reason,
});

/** Calls an RPC, by default with an empty request. @returns `OK` or the error code */
const call = async (
  service: (typeof SERVICES)[number],
  contract: DescService,
  method: DescMethod,
  person = 'ada',
  request: object = {},
): Promise<string> => {
  const client = createClient(contract, transportOf(service)) as Record<string, (request: object, options: object) => unknown>;
  // A stream that shows nothing is left after a while.
  const timeoutMs = method.methodKind === 'unary' ? 30_000 : 5000;
  const options = { headers: await headersOf(person, service), timeoutMs };
  try {
    const answer = client[method.localName]?.(request, options);
    if (method.methodKind === 'unary') await answer;
    else for await (const _message of answer as AsyncIterable<unknown>) break;
    return 'OK';
  } catch (error) {
    return fromWire(error as ConnectError).code;
  }
};

/** More records than a service has RPCs. */
const PAGE = 500;

const eventsOf = async (service: (typeof SERVICES)[number], filter: object = {}, person = 'bob') => {
  const audit = createClient(AuditService, transportOf(service));
  const { events } = await audit.listAuditEvents({ limit: PAGE, ...filter }, { headers: await headersOf(person, service) });
  return events;
};

describe('the audit log', () => {
  it.each(SERVICES)('of %s has a record of every RPC that a person can call', async (service) => {
    const own = (await contracts()).filter(
      ({ typeName }) => typeName.startsWith(`florin.${service}.`) || /^florin\.(?:audit|privacy)\./.test(typeName),
    );
    expect(own.length).toBeGreaterThan(1);
    const walked = await Promise.all(
      own.flatMap((contract) =>
        contract.methods.map(async (method) => [`${contract.typeName}/${method.name}`, await call(service, contract, method)] as const),
      ),
    );
    const events = await eventsOf(service, { actor: 'ada' });
    // All of them are on one page.
    expect(events.length).toBeLessThan(PAGE);
    const rpcs = events.flatMap(({ record }) => (record.case === 'call' ? [record.value.rpc] : []));
    const times = walked.map(([rpc, code]) => [rpc, code, rpcs.filter((one) => one === rpc).length]);
    const isRecorded = ([rpc, code]: readonly [string, string]) => !PUBLIC.includes(rpc) && code !== 'UNAUTHORIZED';
    expect(times).toEqual(walked.map(([rpc, code]) => [rpc, code, isRecorded([rpc, code]) ? 1 : 0]));
    // Fails when the walk reaches nothing.
    expect(walked.filter(isRecorded).length).toBeGreaterThan(3);
    const audit = createClient(AuditService, transportOf(service));
    expect(await audit.verifyAuditLog({}, { headers: await headersOf('bob', service) })).toMatchObject({ firstBadSequence: 0n });
  });

  it('has nothing about money that a person moved by what only the card network or a user may say', async () => {
    const own = (await contracts()).filter(({ typeName }) => typeName.startsWith('florin.card.'));
    const methods = own.flatMap((contract) => contract.methods.map((method) => ({ contract, method })));
    const isMoving = (contract: DescService, { name }: DescMethod) =>
      contract.typeName === 'florin.card.v1.ProcessorService' || ['ReplayPayments', 'AdvanceDispute', 'ResolveDispute'].includes(name);
    const moving = methods.filter(({ contract, method }) => isMoving(contract, method));
    expect(moving.length).toBe(20);
    for (const { contract, method } of moving)
      expect([method.name, await call('card', contract, method)]).toEqual([method.name, 'FORBIDDEN']);
    const dispute = { paymentId: randomUUID(), requestId: randomUUID(), reason: 'fraud' };
    const disputing = methods.filter(({ method }) => method.name === 'DisputePayment');
    // The kind of the caller decides before the object is looked for.
    expect(await Promise.all(disputing.map(({ contract, method }) => call('card', contract, method, 'ada', dispute)))).toEqual([
      'FORBIDDEN',
    ]);
  });

  it('keeps people apart', async () => {
    const actors = new Set((await eventsOf('ledger')).flatMap(({ record }) => (record.case === 'call' ? [record.value.actor] : [])));
    expect([...actors].sort()).toEqual(['ada', 'bob']);
  });

  it('does not let a person call without a reason', async () => {
    const audit = createClient(AuditService, transportOf('card'));
    const { authorization } = await headersOf('ada', 'card');
    const error = await audit.listAuditEvents({}, { headers: { authorization } }).catch((thrown) => fromWire(thrown).code);
    expect(error).toBe('REASON_REQUIRED');
    // Refused before it was read, and recorded with what is certain.
    const rpc = 'florin.audit.v1.AuditService/ListAuditEvents';
    const last = (await eventsOf('card', { actor: 'ada', rpc })).at(-1);
    expect(last?.record).toMatchObject({ case: 'call', value: { actor: 'ada', rpc, reason: '' } });
  });
});

/** Enough for several processes on a machine with other work. */
const LONG_MS = 240_000;

describe('npm run audit-log', { timeout: LONG_MS }, () => {
  const PROGRAM = new URL('../../deploy/local/src/audit-log.ts', import.meta.url).pathname;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'florin-audit-'));
    await mkdir(join(dataDir, 'keys'));
    await writeFile(join(dataDir, 'keys', 'operator.key.json'), JSON.stringify(platform.operatorKey));
    const urls = SERVICES.map((service) => [service, platform.urls[`${service.toUpperCase()}_URL`]]);
    await writeFile(join(dataDir, 'urls.json'), JSON.stringify(Object.fromEntries(urls)));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  /** The exit code and the lines of the command in a process of its own. */
  const runIn = (env: Environment, ...more: string[]): Promise<{ code: number; lines: string[] }> =>
    new Promise((resolve) => {
      execFile(process.execPath, [PROGRAM, '--data-dir', dataDir, ...more], { timeout: LONG_MS, env }, (error, stdout) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), lines: stdout.trim().split('\n') }),
      );
    });

  /** The verdict of the command on the log of a service, and its lines. */
  const verify = async (service: string, ...more: string[]): Promise<{ ok: boolean; lines: string[] }> => {
    const lines: string[] = [];
    const ok = await verifyAuditLogs(['--data-dir', dataDir, '--service', service, ...more], {}, (line) => void lines.push(line));
    return { ok, lines };
  };

  it('compares the logs with the heads that processes have signed', async () => {
    const environment = platform.environment('card', 0);
    await copyFile(environment['SERVICE_TRUST_FILE'] ?? '', join(dataDir, 'keys', 'service-trust.json'));
    await mkdir(join(dataDir, 'logs'));
    const log = join(dataDir, 'logs', 'card.log');
    const database = platform.databases.names.find((name) => name.endsWith('_card')) ?? '';
    const store = await openStore({ uri: platform.databases.mongodbUri, database, poolSize: 2, logger: quietLogger });
    try {
      const key = serviceKeySchema.parse(JSON.parse(await readFile(environment['SERVICE_KEY_FILE'] ?? '', 'utf8')));
      const logger = createLogger('card', 'info', { write: (line) => appendFileSync(log, line) });
      const heads = createAuditLog(store.connection, platform.clock.now, new Uint8Array(32));
      await startAuditHeads({ service: 'card', key, log: heads, retentionDays: 0, logger }).close();
      expect(await verify('card')).toMatchObject({
        ok: true,
        lines: [expect.stringContaining(' are intact, 1 signed heads agree ')],
      });
      const last = await heads.lastSequence();
      const records = store.connection.collection<{ _id: number }>('audit_events');
      const cut = await records.findOneAndDelete({ _id: last });
      if (cut === null) throw new Error('nothing was recorded');
      expect(await verify('card')).toMatchObject({ ok: false, lines: [expect.stringContaining(`record ${last} is not the one`)] });
      await expect(verify('card', '--heads', '/dev/null')).rejects.toThrow('There is no signed head in /dev/null.');
      const unsigned = await verify('ledger', '--heads', log);
      expect(unsigned).toMatchObject({
        ok: false,
        lines: [`ledger: ${log} has no signed head of it; name others, or one log with --service`, expect.stringContaining(' are intact')],
      });
      await rm(log);
      expect(await verify('card')).toMatchObject({ ok: true });
      await records.insertOne(cut);
    } finally {
      await store.close();
      await rm(join(dataDir, 'logs'), { recursive: true });
    }
  });

  it('verifies every log, says where a trimmed one starts, and fails for a changed one', async () => {
    await eventsOf('card');
    const whole = await runIn({});
    expect(whole.code).toBe(0);
    expect(whole.lines).toHaveLength(SERVICES.length);
    for (const line of whole.lines) expect(line).toMatch(/^\w+: \d+ records are intact \d+:[0-9a-f]{64}$/);
    const kept =
      whole.lines
        .find((line) => line.startsWith('card:'))
        ?.split(' ')
        .at(-1) ?? '';

    const { mongodbUri: uri } = platform.databases;
    const database = platform.databases.names.find((name) => name.endsWith('_card')) ?? '';
    const store = await openStore({ uri, database, poolSize: 2, logger: quietLogger });
    try {
      const log = createAuditLog(store.connection, platform.clock.now, new Uint8Array(32));
      await log.trim(new Date(platform.clock.now().getTime() + 1));
      const removed = await log.removedThrough();
      const [first, last] = [removed + 1, await log.lastSequence()];
      const trimmed = await verify('card');
      expect(trimmed.ok).toBe(true);
      expect(trimmed.lines[0]).toContain(`records ${first} to ${last} are intact`);
      // The hash of the last removed record is part of the log; those before it are gone, and a hash of one proves nothing.
      expect(await verify('card', '--after', kept)).toMatchObject({ ok: true });
      await expect(verify('card', '--after', `1:${'0'.repeat(64)}`)).rejects.toThrow(`must be at least ${removed}`);
      await store.connection.collection<{ _id: number }>('audit_events').updateOne({ _id: last }, { $set: { at: new Date(0) } });
      expect(await verify('card')).toMatchObject({ ok: false, lines: [expect.stringContaining(`record ${last}`)] });
    } finally {
      await store.close();
    }
  });

  it('verifies the log of the back office too, and fails when one byte of it was changed', async () => {
    const office = await startBackOffice(platform);
    const environment: Environment = { ...platform.environment('back-office', 0), BACK_OFFICE_URL: office.url };
    const urls = JSON.parse(await readFile(join(dataDir, 'urls.json'), 'utf8')) as object;
    await writeFile(join(dataDir, 'urls.json'), JSON.stringify({ ...urls, 'back-office': office.url }));
    const verifyOffice = (...more: string[]) => runIn(environment, '--service', 'back-office', ...more);
    const { mongodbUri: uri } = platform.databases;
    const store = await openStore({ uri, database: environment['MONGODB_DATABASE'] ?? '', poolSize: 2, logger: quietLogger });
    try {
      await office.operator('admin');
      const whole = await verifyOffice();
      expect(whole).toMatchObject({ code: 0, lines: [expect.stringMatching(/^back-office: \d+ records are intact \d+:[0-9a-f]{64}$/)] });
      expect(await verifyOffice('--after', whole.lines[0]?.split(' ').at(-1) ?? '')).toMatchObject({ code: 0 });
      const records = store.connection.collection<{ _id: number }>('audit_events');
      await records.updateOne({ _id: 1 }, { $set: { 'content.call.reason': 'invited at the command linf' } });
      expect(await verifyOffice()).toEqual({ code: 1, lines: ['back-office: record 1 is missing or was changed'] });
    } finally {
      await store.close();
      await office.close();
    }
  });
});
