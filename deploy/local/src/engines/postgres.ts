import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessSpec } from '../processes/process-spec.ts';
import { inPackageRoot, insideRoot, ownByRootUser, type RootBind, runInPackageRoot } from './in-package-root.ts';
import type { EngineContext } from './provider.ts';

const BIN = '/usr/lib/postgresql/18/bin';

export type Postgres = { root: string; dataPath: string; runPath: string };

/** Returns PostgreSQL's directories in the data directory; `runPath` holds its Unix socket. */
export const postgresIn = (root: string, { dataDir }: EngineContext): Postgres => {
  return { root, dataPath: dataDir.engine('postgres'), runPath: dataDir.engine('postgres-run') };
};

/** Creates the database cluster unless it exists. It gets its final name when it is complete. */
export const ensureCluster = async (postgres: Postgres, context: EngineContext): Promise<void> => {
  const { root, dataPath, runPath } = postgres;
  await ownByRootUser(root, 'postgres', runPath);
  if (statSync(dataPath, { throwIfNoEntry: false }) === undefined) {
    const target = `${dataPath}.new`;
    rmSync(target, { recursive: true, force: true });
    await ownByRootUser(root, 'postgres', target);
    const args = ['-D', insideRoot('data'), '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
    const binds: RootBind[] = [{ from: target, to: 'data' }];
    await runInPackageRoot({ root, user: 'postgres', binds, command: `${BIN}/initdb`, args }, 60_000, context.signal);
    renameSync(target, dataPath);
  }
  await ownByRootUser(root, 'postgres', dataPath);
};

/**
 * PostgreSQL as the storage of FerretDB. It listens only on a Unix socket, which only FerretDB and PostgreSQL's own extensions can
 * reach: DocumentDB and pg_cron connect to the server too, so they are configured with the socket.
 */
export const postgresSpec = (postgres: Postgres, durable: boolean): ProcessSpec => {
  const socket = insideRoot('run');
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socket,
    shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
    'cron.database_name': 'postgres',
    'cron.host': socket,
    // Otherwise every run of a job adds a row that is never read.
    'cron.log_run': 'off',
    'cron.log_statement': 'off',
    'documentdb.localhost_connection_string': `host=${socket}`,
    max_connections: '200',
    // Says who waits for whom when a command waits for another one for a second.
    log_lock_waits: 'on',
    // The ledger writes many documents of some hundred kilobytes. Compressing them with pglz, and writing full pages after frequent
    // checkpoints, would use more processor time than the writes themselves.
    default_toast_compression: 'lz4',
    wal_compression: 'lz4',
    max_wal_size: '2GB',
    shared_buffers: '256MB',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const args = ['-D', insideRoot('data'), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  return {
    name: 'postgres',
    tier: 0,
    ...inPackageRoot({ root: postgres.root, user: 'postgres', binds: bindsOf(postgres), command: `${BIN}/postgres`, args }),
    beforeStart: () => removeStaleLocks(postgres),
    isReady: () => isPostgresReady(postgres),
    // SIGINT requests a fast shutdown, which ends sessions instead of waiting for them.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
  };
};

/** Installs the extension, or updates it to the version in the package root. Idempotent. */
export const ensureExtension = async (postgres: Postgres, signal: AbortSignal): Promise<void> => {
  const sql = [
    'create extension if not exists documentdb cascade',
    'alter extension documentdb_core update',
    'alter extension documentdb update',
  ];
  const args = ['-h', insideRoot('run'), '-d', 'postgres', '-Xq', '-v', 'ON_ERROR_STOP=1', ...sql.flatMap((line) => ['-c', line])];
  await runInPackageRoot({ root: postgres.root, user: 'postgres', binds: bindsOf(postgres), command: `${BIN}/psql`, args }, 60_000, signal);
};

export const bindsOf = ({ dataPath, runPath }: Postgres): RootBind[] => {
  return [
    { from: dataPath, to: 'data' },
    { from: runPath, to: 'run' },
  ];
};

const isPostgresReady = async (postgres: Postgres): Promise<boolean> => {
  const args = ['-q', '-h', insideRoot('run'), '-d', 'postgres', '-t', '2'];
  await runInPackageRoot({ root: postgres.root, user: 'postgres', binds: bindsOf(postgres), command: `${BIN}/pg_isready`, args }, 5_000);
  return true;
};

/**
 * Removes the lock files that a killed server leaves behind: PostgreSQL does not start while another process of the same user has
 * the pid in them. They are removed only when no process uses the cluster. All processes of PostgreSQL have it as their working
 * directory, which can be recognized through a bind mount. Backends outlive a killed server for a moment.
 */
const removeStaleLocks = async ({ dataPath, runPath }: Postgres): Promise<void> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const running = processesWorkingIn(dataPath);
    if (running.length === 0) break;
    if (Date.now() > deadline) throw new Error(`process ${running[0]} still uses ${dataPath}`);
    await sleep(50);
  }
  rmSync(join(dataPath, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(runPath)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(runPath, name), { force: true });
  }
};

/** Returns the pids of processes whose working directory is `directory`, compared by device and inode. */
export const processesWorkingIn = (directory: string): number[] => {
  const wanted = statSync(directory);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || isZombie(pid)) return false;
      const cwd = statOrUndefined(`/proc/${pid}/cwd`);
      return cwd !== undefined && cwd.ino === wanted.ino && cwd.dev === wanted.dev;
    });
};

const statOrUndefined = (path: string): ReturnType<typeof statSync> => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const isZombie = (pid: number): boolean => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};
