import type { DataDir } from '../data-dir.ts';
import type { RedisPasswords, RedisProcess } from '../redis-users.ts';
import type { Report } from '../report.ts';
import type { Supervisor } from '../supervisor.ts';

/** The tools of a provider. It starts processes only through the supervisor, which restarts and stops them. */
export type EngineContext = {
  env: NodeJS.ProcessEnv;
  dataDir: DataDir;
  cacheDir: string;
  supervisor: Supervisor;
  report: Report;
  /** Port to listen on; undefined means any free port. */
  port: number | undefined;
  /** False trades durability for speed; for tests only. */
  durable: boolean;
  /** Users that Redis has; undefined for one without a password. */
  redisPasswords: RedisPasswords | undefined;
  /** Aborted when the start is cancelled. */
  signal: AbortSignal;
};

export type Availability =
  /** `ready` is false if something must be downloaded or built first. */
  { ok: true; ready: boolean } | { ok: false; why: string };

export type RunningEngine = {
  uri: string;
  /** Returns the address for a process with a user of its own; undefined for an engine without such users. */
  uriOf?: (name: RedisProcess) => string;
  /** One line that says what is running and where. */
  description: string;
  pids: () => number[];
  stop: () => Promise<void>;
};

export type EngineProvider = {
  name: string;
  /** True if the user has chosen this provider by configuration: no other provider is tried in its place. */
  explicit?: boolean;
  available: (context: EngineContext) => Promise<Availability>;
  start: (context: EngineContext) => Promise<RunningEngine>;
};
