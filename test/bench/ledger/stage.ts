import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createProbe } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { processEnvironment } from '@florin/kit/config';
import { createTestAuthority, type TestAuthority } from '@florin/kit/testing/authority';
import { waitFor } from '@florin/kit/testing/wait-for';
import { startEngines } from '@florin/local';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import mongoose, { type Connection } from 'mongoose';
import { ROOT } from '../../support/settings.ts';

const SCOPES = ['ledger.accounts.write', 'ledger.accounts.read', 'ledger.entries.write', 'ledger.entries.read', 'ledger.journal.read'];
const CALL_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 120_000;

export type LedgerClients = {
  accounts: Client<typeof AccountService>;
  balances: Client<typeof BalanceService>;
  entries: Client<typeof EntryService>;
  journal: Client<typeof JournalService>;
};

/** A ledger process as operators run it, on engines of its own, called over gRPC. */
export type LedgerStage = {
  mongodbUri: string;
  database: Connection;
  authority: TestAuthority;
  clients: LedgerClients;
  pid: () => number;
  /** Ends the process as a deployment does, starts it again, and waits until it serves. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
};

const freePort = async (): Promise<number> => {
  const probe = createProbe().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
};

/** What identity publishes: the key that users' tokens are checked with. */
const publishKeys = async ({ userSigningKey }: TestAuthority): Promise<{ server: Server; url: string }> => {
  const { d: _private, ...key } = userSigningKey;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const connect = (url: string, token: string): LedgerClients & { health: Client<typeof Health> } => {
  const authorize: Interceptor = (next) => (request) => {
    if (!request.header.has('authorization')) request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl: url, interceptors: [authorize], defaultTimeoutMs: CALL_TIMEOUT_MS });
  return {
    accounts: createClient(AccountService, transport),
    balances: createClient(BalanceService, transport),
    entries: createClient(EntryService, transport),
    journal: createClient(JournalService, transport),
    health: createClient(Health, transport),
  };
};

export const openLedgerStage = async (report: (line: string) => void, environment: Record<string, string> = {}): Promise<LedgerStage> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const engines = await startEngines({ dataDir, env: processEnvironment(), report });
  const authority = await createTestAuthority({ ledger: [], operator: SCOPES });
  const keys = await publishKeys(authority);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const clients = connect(url, await authority.serviceToken('operator', 'ledger', SCOPES));
  const env: NodeJS.ProcessEnv = {
    ...processEnvironment(),
    HOST: '127.0.0.1',
    PORT: String(port),
    MONGODB_URI: engines.mongodbUri,
    REDIS_URL: engines.redisUrl,
    SANDBOX: 'true',
    LOG_LEVEL: 'warn',
    IDENTITY_URL: keys.url,
    SERVICE_KEY: JSON.stringify(authority.serviceKey('ledger')),
    SERVICE_TRUST: JSON.stringify(authority.trust),
    ...environment,
  };
  const serves = async (): Promise<true | undefined> => {
    const answer = await clients.health.check({}, { timeoutMs: 1000 }).catch(() => undefined);
    return answer?.status === Status.SERVING ? true : undefined;
  };
  let ledger: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    ledger = spawn(process.execPath, [join(ROOT, 'services/ledger/src/main.ts')], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await waitFor('the ledger', serves, START_TIMEOUT_MS);
  };
  const stop = async (): Promise<void> => {
    if (ledger === undefined || ledger.exitCode !== null) return;
    ledger.kill('SIGTERM');
    await once(ledger, 'exit');
  };
  await start();
  const database = await mongoose.createConnection(engines.mongodbUri, { dbName: 'florin_ledger' }).asPromise();
  return {
    mongodbUri: engines.mongodbUri,
    database,
    authority,
    clients,
    pid: () => ledger?.pid ?? 0,
    restart: async () => {
      await stop();
      await start();
    },
    close: async () => {
      await database.close();
      await stop();
      keys.server.close();
      await engines.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
