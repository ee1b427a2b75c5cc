import { freePort } from '../free-port.ts';
import { ensureGoProgram, type GoProgram, goProgramAvailability } from './go-program.ts';
import { inPackageRoot, insideRoot } from './in-package-root.ts';
import { ensurePackageRoot, packageRootAvailability } from './package-root.ts';
import { bindsOf, ensureCluster, ensureExtension, postgresIn, postgresSpec } from './postgres.ts';
import { isMongodbReady } from './probes.ts';
import type { Availability, EngineContext, EngineProvider, RunningEngine } from './provider.ts';
import { runningProcesses } from './running.ts';

const FERRETDB: GoProgram = {
  title: 'FerretDB',
  program: 'ferretdb',
  module: 'github.com/FerretDB/FerretDB/v2/cmd/ferretdb',
  version: '2.7.0',
};

/** FerretDB on PostgreSQL with the DocumentDB extension: for machines that cannot reach MongoDB's downloads. */
export const ferretdbProvider: EngineProvider = {
  name: 'FerretDB with PostgreSQL and DocumentDB',
  available: async (context): Promise<Availability> => {
    const binary = goProgramAvailability(FERRETDB, context);
    const root = await packageRootAvailability(context);
    if (!root.ok) return root;
    if (!binary.ok) return binary;
    return { ok: true, ready: root.ready && binary.ready };
  },
  start: (context) => startFerretdb(context),
};

const startFerretdb = async (context: EngineContext): Promise<RunningEngine> => {
  const { supervisor, signal, durable } = context;
  const [root, binary] = await prepareBoth(context);
  const postgres = postgresIn(root, context);
  await ensureCluster(postgres, context);
  const storage = await supervisor.start(postgresSpec(postgres, durable));
  try {
    await ensureExtension(postgres, signal);
    const port = context.port ?? (await freePort());
    const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    const args = [
      `--listen-addr=127.0.0.1:${port}`,
      `--postgresql-url=postgres:///postgres?host=${insideRoot('run')}&user=postgres`,
      `--state-dir=${insideRoot('run')}`,
      ...['--no-auth', '--telemetry=disable', '--debug-addr=-', '--log-level=error'],
    ];
    const front = await supervisor.start({
      name: 'ferretdb',
      tier: 1,
      ...inPackageRoot({
        root,
        user: 'postgres',
        binds: [...bindsOf(postgres), { from: binary, to: 'bin' }],
        command: `${insideRoot('bin')}/ferretdb`,
        args,
      }),
      isReady: () => isMongodbReady(uri),
      stopTimeoutMs: 5_000,
    });
    return runningProcesses(uri, `FerretDB on PostgreSQL, 127.0.0.1:${port}`, [front, storage]);
  } catch (error) {
    await storage.stop();
    throw error;
  }
};

/** Prepares the package root and FerretDB concurrently; if one fails, the other is cancelled. */
const prepareBoth = async (context: EngineContext): Promise<[root: string, binary: string]> => {
  const failed = new AbortController();
  const both = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) };
  const stopOther = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  const jobs = [ensurePackageRoot(context), ensureGoProgram(FERRETDB, both).catch(stopOther)] as const;
  jobs[0].catch((error: unknown) => failed.abort(error));
  const results = await Promise.allSettled(jobs);
  for (const result of results) if (result.status === 'rejected') throw failed.signal.reason ?? result.reason;
  return Promise.all(jobs);
};
