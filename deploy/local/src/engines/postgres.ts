import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessSpec } from '../processes/supervised-process.ts';
import { inPackageRoot, insideRoot, ownByRootUser, type RootBind, runInPackageRoot } from './in-package-root.ts';
import type { EngineContext } from './provider.ts';

const BIN = '/usr/lib/postgresql/18/bin';

export type Postgres = { root: string; dataPath: string; runPath: string };

/** Directories of PostgreSQL in the data directory; the socket is in `runPath`. */
export function postgresIn(root: string, { dataDir }: EngineContext): Postgres {
  return { root, dataPath: dataDir.engine('postgres'), runPath: dataDir.engine('postgres-run') };
}

/** Makes the database cluster if there is none. Complete under its final name, or not there at all. */
export async function ensureCluster(postgres: Postgres, context: EngineContext): Promise<void> {
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
}

/**
 * PostgreSQL as FerretDB's storage. It listens on a Unix socket only, which nobody but FerretDB and its own extensions
 * can reach: DocumentDB and pg_cron connect back to the server, and are told the socket too.
 */
export function postgresSpec(postgres: Postgres, durable: boolean): ProcessSpec {
  const socket = insideRoot('run');
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socket,
    shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
    'cron.database_name': 'postgres',
    'cron.host': socket,
    // Each run of a job would leave a row that nobody reads.
    'cron.log_run': 'off',
    'cron.log_statement': 'off',
    'documentdb.localhost_connection_string': `host=${socket}`,
    max_connections: '200',
    // For a ledger's kind of load, many writes of some hundred kilobytes: compressing them with pglz, and writing whole pages again
    // after every checkpoint, would take more of the processor than the writes themselves.
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
    isReady: () => postgresAnswers(postgres),
    // SIGINT is the fast shutdown: it ends sessions instead of waiting for them.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
  };
}

/** Brings the extension in, or up to the version of the package root. Needed once, harmless at each start. */
export async function ensureExtension(postgres: Postgres, signal: AbortSignal): Promise<void> {
  const sql = [
    'create extension if not exists documentdb cascade',
    'alter extension documentdb_core update',
    'alter extension documentdb update',
  ];
  const args = ['-h', insideRoot('run'), '-d', 'postgres', '-Xq', '-v', 'ON_ERROR_STOP=1', ...sql.flatMap((line) => ['-c', line])];
  await runInPackageRoot({ root: postgres.root, user: 'postgres', binds: bindsOf(postgres), command: `${BIN}/psql`, args }, 60_000, signal);
}

export function bindsOf({ dataPath, runPath }: Postgres): RootBind[] {
  return [
    { from: dataPath, to: 'data' },
    { from: runPath, to: 'run' },
  ];
}

async function postgresAnswers(postgres: Postgres): Promise<boolean> {
  const args = ['-q', '-h', insideRoot('run'), '-d', 'postgres', '-t', '2'];
  await runInPackageRoot({ root: postgres.root, user: 'postgres', binds: bindsOf(postgres), command: `${BIN}/pg_isready`, args }, 5_000);
  return true;
}

/**
 * After a SIGKILL the server's lock files stay behind, and PostgreSQL refuses to start once their pid belongs to any
 * process of the same user. They are removed only when no process works in this cluster: PostgreSQL's processes all have
 * it as their working directory, which a bind mount does not hide. Backends outlive a killed server by a moment.
 */
async function removeStaleLocks({ dataPath, runPath }: Postgres): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const living = processesWorkingIn(dataPath);
    if (living.length === 0) break;
    if (Date.now() > deadline) throw new Error(`process ${living[0]} still works in ${dataPath}`);
    await sleep(50);
  }
  rmSync(join(dataPath, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(runPath)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(runPath, name), { force: true });
  }
}

/** Processes whose working directory is `directory`, by device and inode. */
export function processesWorkingIn(directory: string): number[] {
  const wanted = statSync(directory);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || isZombie(pid)) return false;
      const cwd = statOrNothing(`/proc/${pid}/cwd`);
      return cwd !== undefined && cwd.ino === wanted.ino && cwd.dev === wanted.dev;
    });
}

function statOrNothing(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
