import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { compileCacheDir, type Engines, NODE_FLAGS, startEngines } from '@florin/local';
import { REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { createServiceTokenSource, JWKS_PATH } from '@florin/rpc/auth';
import { processEnvironment } from '@florin/rpc/config';
import { createTestAuthority, type TestAuthority } from '@florin/rpc/testing/authority';
import { testPort } from '@florin/rpc/testing/test-port';
import { type InstanceFaults, makeBreakable } from './breakable.ts';
import type { Network, NetworkPlace } from './network-namespaces.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';
import { ROOT } from './settings.ts';

const SCOPES = [
  LEDGER_SCOPES.writeAccounts,
  LEDGER_SCOPES.readAccounts,
  LEDGER_SCOPES.writeEntries,
  LEDGER_SCOPES.readEntries,
  LEDGER_SCOPES.readBalances,
  LEDGER_SCOPES.writeDeposits,
  LEDGER_SCOPES.resolveDeposits,
  LEDGER_SCOPES.writeWithdrawals,
  LEDGER_SCOPES.writeAdjustments,
];
const SHIFTED_CLOCK = join(ROOT, 'test/support/shifted-clock.ts');

export type LedgerClients = {
  accounts: Client<typeof AccountService>;
  adjustments: Client<typeof AdjustmentService>;
  balances: Client<typeof BalanceService>;
  entries: Client<typeof EntryService>;
  holds: Client<typeof HoldService>;
  journal: Client<typeof JournalService>;
  movements: Client<typeof MovementService>;
  statement: Client<typeof StatementService>;
};

/** One ledger process. */
export type LedgerInstance = ServiceProcess & {
  clients: LedgerClients;
  /** The parts that a fault run can break; only with `breakable`. */
  faults?: InstanceFaults;
};

/** Ledger processes on their own engines, called over gRPC with the operator's service token. */
export type LedgerCluster = {
  engines: Engines;
  authority: TestAuthority;
  /** Returns a service token of the operator. */
  token: () => Promise<string>;
  instances: readonly LedgerInstance[];
  close: () => Promise<void>;
};

export type LedgerClusterOptions = {
  instances: number;
  /** Restarts a process that exits without having been stopped. */
  respawn: boolean;
  /** Puts what can be broken between an instance and Redis, the other instances, and its clock. Costs a hop. */
  breakable?: boolean;
  /** Network namespaces for the instances, one each; only with `breakable`. Default: all are on the loopback interface. */
  network?: Network | undefined;
  /** Where the engines keep their data, and all processes their logs, in `logs/`; it stays. Default: a new directory, removed with the cluster. */
  dataDir?: string;
  /** Additional variables for the ledger processes. */
  environment?: Readonly<Record<string, string>>;
  /** Deadline of a call, in milliseconds. */
  callTimeoutMs: number;
  /** Starts the engines. Default: those of a platform. */
  start?: (options: { dataDir: string; env: NodeJS.ProcessEnv; report: (line: string) => void }) => Promise<Engines>;
  report: (line: string) => void;
};

/** Serves what identity publishes: the key that verifies users' tokens, and an empty list of revoked sessions. */
const publishIdentity = async ({ userSigningKey }: TestAuthority): Promise<{ server: Server; url: string }> => {
  const { d: _private, ...key } = userSigningKey;
  const documents: Readonly<Record<string, object>> = { [JWKS_PATH]: { keys: [key] }, [REVOKED_SESSIONS_PATH]: { sessions: [] } };
  const server = createServer((request, response) => {
    const document = documents[request.url ?? ''];
    if (document === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const connect = (url: string, tokens: () => Promise<string>, defaultTimeoutMs: number): LedgerClients => {
  const authorize: Interceptor = (next) => async (request) => {
    if (!request.header.has('authorization')) request.header.set('authorization', `Bearer ${await tokens()}`);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl: url, interceptors: [authorize], defaultTimeoutMs });
  return {
    accounts: createClient(AccountService, transport),
    adjustments: createClient(AdjustmentService, transport),
    balances: createClient(BalanceService, transport),
    entries: createClient(EntryService, transport),
    holds: createClient(HoldService, transport),
    journal: createClient(JournalService, transport),
    movements: createClient(MovementService, transport),
    statement: createClient(StatementService, transport),
  };
};

const createInstance = (
  name: string,
  port: number,
  env: NodeJS.ProcessEnv,
  tokens: () => Promise<string>,
  { respawn, callTimeoutMs, dataDir }: LedgerClusterOptions & { dataDir: string },
  place?: NetworkPlace,
): LedgerInstance => {
  const url = `http://${place?.address ?? '127.0.0.1'}:${port}`;
  const flags = [...(NODE_FLAGS.ledger ?? []), ...(env['CLOCK_OFFSET_FILE'] === undefined ? [] : ['--import', SHIFTED_CLOCK])];
  const [program, ...prefix] = [...(place?.command ?? []), process.execPath] as [string, ...string[]];
  return {
    ...createServiceProcess({
      name,
      url,
      command: [program, ...prefix, ...flags, join(ROOT, 'services/ledger/src/main.ts')],
      env: { ...env, PORT: String(port) },
      logFile: join(dataDir, 'logs', `${name.replace(' ', '-')}.log`),
      respawn,
    }),
    clients: connect(url, tokens, callTimeoutMs),
  };
};

export const openLedgerCluster = async (options: LedgerClusterOptions): Promise<LedgerCluster> => {
  const { report, environment = {}, start = startEngines } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'florin-ledgers-')));
  // Own engines, even if the environment names others: they are put under load, suspended and killed.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = processEnvironment();
  const engines = await start({ dataDir, env: own, report });
  const authority = await createTestAuthority({ ledger: [], operator: SCOPES });
  const identity = await publishIdentity(authority);
  const env: NodeJS.ProcessEnv = {
    ...own,
    NODE_COMPILE_CACHE: compileCacheDir(own),
    HOST: '127.0.0.1',
    MONGODB_URI: engines.mongodbUri,
    REDIS_URL: engines.redisUrl,
    SANDBOX: 'true',
    // Deposits are resolved by the callers.
    KYT: 'off',
    LOG_LEVEL: 'error',
    IDENTITY_URL: identity.url,
    SERVICE_KEY: JSON.stringify(authority.serviceKey('ledger')),
    SERVICE_TRUST: JSON.stringify(authority.trust),
    ...environment,
  };
  const tokens = createServiceTokenSource({ key: authority.serviceKey('operator'), audience: 'ledger', scopes: SCOPES });
  const instances: LedgerInstance[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  for (let index = 1; index <= options.instances; index += 1) {
    const port = await testPort();
    const name = `ledger ${index}`;
    if (options.breakable !== true) {
      instances.push(createInstance(name, port, env, tokens, { ...options, dataDir }));
      continue;
    }
    const pid = (): number | undefined => instance.pid();
    const place = options.network?.places[index - 1];
    const { mongodbUri, redisUrl } = engines;
    const breakable = await makeBreakable({ dataDir, port, mongodbUri, redisUrl, identityUrl: identity.url, pid, place });
    closers.push(breakable.close);
    const instance: LedgerInstance = {
      ...createInstance(name, port, { ...env, ...breakable.env }, tokens, { ...options, dataDir }, place),
      faults: breakable.faults,
    };
    instances.push(instance);
  }
  const close = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await Promise.all(closers.map((one) => one()));
    identity.server.close();
    await engines.stop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await Promise.all(instances.map((instance) => instance.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return { engines, authority, token: tokens, instances, close };
};
