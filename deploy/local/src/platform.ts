import { certificateFiles, ensureCertificates } from './certificates.ts';
import { EDGE, PROCESS_NAMES, type ProcessName, readConfig } from './config.ts';
import { openDataDir } from './data-dir.ts';
import { startEnginesIn } from './engines/start-engines.ts';
import { firstEnrolment } from './first-enrolment.ts';
import { ensureKeys } from './keys.ts';
import { startLocalChain } from './local-chain/start-local-chain.ts';
import { buildPages } from './page-builds.ts';
import { type PlatformUrls, urlsOf, writePlatformUrls } from './platform-urls.ts';
import { choosePorts, requireFreePorts } from './ports.ts';
import { ensureRedisPasswords } from './redis-users.ts';
import type { Report } from './report.ts';
import { backOfficeUrl, serviceProcess } from './service-processes.ts';
import type { Client } from './service-scopes.ts';
import { requireOwnClients } from './service-trust.ts';
import { createSupervisor, type ProcessInfo } from './supervisor.ts';

export type PlatformOptions = {
  /** The checkout. */
  rootDir: string;
  /** Where all data is kept. Default `FLORIN_DATA_DIR`, otherwise `.florin` in the checkout. */
  dataDir?: string;
  env: NodeJS.ProcessEnv;
  report: Report;
  /** Cancels the start. */
  signal?: AbortSignal;
};

export type Platform = {
  urls: PlatformUrls;
  mongodbUri: string;
  redisUrl: string;
  dataDir: string;
  /** True if the gateway serves the cardholder's app. */
  hasApp: boolean;
  /** Where browsers find the back office. */
  backOfficeUrl: string;
  /** The link by which the first operator of the back office enrols; undefined when there is one already. Secret. */
  enrolmentUrl: string | undefined;
  processes: () => ProcessInfo[];
  /** Stops the gateway and the back office, then the services, then the engines. */
  stop: () => Promise<void>;
  /** Kills all processes immediately. */
  kill: () => void;
};

/**
 * Starts the whole platform on this machine.
 * @throws ConfigError, DataDirInUseError, PortTakenError, NoEngineError, ProcessStartError, with nothing left running
 */
export const startPlatform = async (options: PlatformOptions): Promise<Platform> => {
  const { rootDir, report, signal } = options;
  const config = readConfig(options.env, rootDir);
  // Before the ports are checked: this stops processes of a killed launcher that still listen on them.
  const dataDir = await openDataDir(options.dataDir ?? config.dataDir, report);
  const supervisor = createSupervisor({ runDir: dataDir.runDir, logsDir: dataDir.logsDir, report });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    dataDir.release();
  };
  const onCancel = (): void => void supervisor.stop();
  signal?.addEventListener('abort', onCancel, { once: true });
  try {
    await requireFreePorts(config);
    const keys = await ensureKeys(dataDir.path, config);
    requireOwnClients(options.env, keys);
    const redisPasswords = ensureRedisPasswords(keys.redisPasswordsFile);
    if (config.tls) await ensureCertificates(dataDir.path);
    // Beside the engines, which take as long.
    const pageBuilds = buildPages(rootDir, { env: options.env, report, ...(signal === undefined ? {} : { signal }) });
    const { mongodb, redis } = await startEnginesIn(dataDir, supervisor, {
      dataDir: dataDir.path,
      report,
      env: options.env,
      redisPasswords,
      ...(signal === undefined ? {} : { signal }),
    });
    signal?.throwIfAborted();
    // Chosen as late as possible: the engines may have taken minutes to start.
    const ports = await choosePorts(config, report);
    const localChain = config.localChain
      ? await startLocalChain({ dataDir, supervisor, env: options.env, port: config.chainNodePort, report })
      : undefined;
    const env = localChain?.env ?? options.env;
    signal?.throwIfAborted();
    const running = PROCESS_NAMES.filter((name) => isNeeded(name, env));
    const urls = { ...urlsOf(ports, running, config), ...(localChain === undefined ? {} : { chainNode: localChain.url }) };
    writePlatformUrls(dataDir.path, urls);
    const certificates = config.tls ? (name: Client) => certificateFiles(dataDir.path, name) : undefined;
    const redisUrlOf = redis.uriOf ?? (() => redis.uri);
    const setting = { certificates, rootDir, env, config: { ...config, ports }, keys, urls, mongodbUri: mongodb.uri, redisUrlOf };
    const services = running.filter((name) => !EDGE.includes(name));
    report(`starting ${services.join(', ')}`);
    await allOrFirstFailure(services.map((name) => supervisor.start(serviceProcess(name, setting))));
    // They read their pages when they start.
    const hasApp = await pageBuilds;
    report(`starting ${EDGE.join(', ')}`);
    await allOrFirstFailure(EDGE.map((name) => supervisor.start(serviceProcess(name, setting))));
    const enrolmentUrl = await firstEnrolment(serviceProcess('back-office', setting), { ...options, sandbox: config.sandbox });
    signal?.throwIfAborted();
    return {
      urls,
      mongodbUri: mongodb.uri,
      redisUrl: redis.uri,
      dataDir: dataDir.path,
      hasApp,
      backOfficeUrl: backOfficeUrl(env, ports['back-office']),
      enrolmentUrl,
      processes: supervisor.processes,
      stop,
      kill: supervisor.kill,
    };
  } catch (error) {
    await stop();
    // Errors caused by the cancellation are not reported.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onCancel);
  }
};

/** Reports whether a process has something to do: without nodes there is no chain to watch. */
const isNeeded = (name: ProcessName, env: NodeJS.ProcessEnv): boolean =>
  name !== 'chain' || [env['CHAIN_RPC_URLS'], env['CHAIN_RPC_URLS_FILE']].some((value) => value !== undefined && value !== '');

/** Waits until all jobs have settled, so that none continues in the background, then throws the first failure. */
const allOrFirstFailure = async (jobs: readonly Promise<unknown>[]): Promise<void> => {
  const failures: unknown[] = [];
  await Promise.all(jobs.map((job) => job.catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
};
