import { appendFileSync, mkdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/settings.ts';

/** Where the logs of failed runs are kept, unless told otherwise. */
const KEPT_LOGS = join(ROOT, '.florin/fault-logs');

type Report = (line: string) => void;

export type FaultRun = {
  /** Where the run's engines and processes keep their data, and in `logs/` what they write. */
  dataDir: string;
  report: Report;
};

type RunOptions = { name: string; report: Report; keptLogs?: string };

/**
 * Does the work of a fault run in a data directory of its own, which is removed afterwards. When the work rejects or finds problems, the logs are kept,
 * with what the run has reported and when, in `run.log`; the last problem, or the error, says where.
 */
export const inDataDir = async <R extends { problems: string[] }>(
  { name, report, keptLogs = KEPT_LOGS }: RunOptions,
  work: (run: FaultRun) => Promise<R>,
): Promise<R> => {
  const dataDir = await mkdtemp(join(tmpdir(), `florin-faults-${name}-`));
  const logs = join(dataDir, 'logs');
  mkdirSync(logs);
  const note = (line: string): void => appendFileSync(join(logs, 'run.log'), `${new Date().toISOString()} ${line}\n`);
  const keep = async (): Promise<string> => {
    await mkdir(keptLogs, { recursive: true });
    const kept = await mkdtemp(join(keptLogs, `${name}-${new Date().toISOString().replaceAll(':', '-')}-`));
    await cp(logs, kept, { recursive: true });
    const line = `the logs of this run are in ${kept}`;
    report(line);
    return line;
  };
  try {
    const run = {
      dataDir,
      report: (line: string): void => {
        note(line);
        report(line);
      },
    };
    const result = await work(run);
    if (result.problems.length > 0) {
      for (const problem of result.problems) note(problem);
      result.problems.push(await keep());
    }
    return result;
  } catch (error) {
    note(String(error));
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${await keep()}`, { cause: error });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
