import type { DataDir } from '../data-dir.ts';
import type { Report } from '../report.ts';
import type { Supervisor } from '../supervisor.ts';

/** What a provider may use. Everything that it starts goes through the supervisor, which restarts and stops it. */
export type EngineContext = {
  env: NodeJS.ProcessEnv;
  dataDir: DataDir;
  cacheDir: string;
  supervisor: Supervisor;
  report: Report;
  /** Port to listen on; undefined chooses a free one. */
  port: number | undefined;
  /** False gives up durability for speed: for engines of tests only. */
  durable: boolean;
  /** Aborted when the launch is cancelled. */
  signal: AbortSignal;
};

export type Availability =
  /** `ready` is false when using it means to fetch or build something first. */
  { ok: true; ready: boolean } | { ok: false; why: string };

export type RunningEngine = {
  uri: string;
  /** One line: what runs and where. */
  describe: string;
  pids(): number[];
  stop(): Promise<void>;
};

export type EngineProvider = {
  name: string;
  /** True for what the user has asked for by name: when it fails nothing else is tried in its place. */
  explicit?: boolean;
  available(context: EngineContext): Promise<Availability>;
  start(context: EngineContext): Promise<RunningEngine>;
};
