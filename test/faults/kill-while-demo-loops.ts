import type { Platform } from '@florin/local';
import { pause } from '@florin/rpc/time';
import { auditJournal, auditLife } from './audit.ts';
import { type Life, live } from './life.ts';
import { createPersistentClient } from './persistent-client.ts';

export type FaultOptions = {
  /** Number of processes to kill. */
  kills: number;
  /** Number of concurrent users. */
  people?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); selects the processes and the times of the kills. */
  random?: () => number;
};

export type FaultResult = { lives: number; kills: Record<string, number>; repeats: number; problems: string[] };

const MIN_PAUSE_MS = 500;
const MORE_PAUSE_MS = 2500;

/**
 * Users repeat the story while random processes (engines, services, gateway) are killed with SIGKILL. Afterwards, everything that was
 * acknowledged must exist exactly once, nothing else may exist, and the journal must verify.
 */
export const killWhileDemoLoops = async (platform: Platform, options: FaultOptions): Promise<FaultResult> => {
  const { kills, people = 3, report, random = Math.random } = options;
  const api = createPersistentClient(platform.urls.gateway);
  const lives: Life[] = [];
  const killed: Record<string, number> = {};
  const problems: string[] = [];
  let over = false;

  const loop = async (): Promise<void> => {
    while (!over) {
      try {
        const life = await live(api);
        if (life !== undefined) lives.push(life);
      } catch (error) {
        problems.push(`unexpected response: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  const loops = Array.from({ length: people }, loop);

  for (let count = 1; count <= kills; count += 1) {
    await pause(MIN_PAUSE_MS + random() * MORE_PAUSE_MS);
    const alive = platform.processes().filter((candidate) => candidate.pid !== undefined);
    const victim = alive[Math.floor(random() * alive.length)];
    if (victim?.pid === undefined) continue;
    try {
      process.kill(victim.pid, 'SIGKILL');
      killed[victim.name] = (killed[victim.name] ?? 0) + 1;
      report(`kill ${count} of ${kills}: ${victim.name} (${lives.length} stories completed)`);
    } catch {
      // It has exited in the meantime.
    }
  }
  await pause(MORE_PAUSE_MS);
  over = true;
  await Promise.all(loops);

  for (const life of lives) problems.push(...(await auditLife(api, life)));
  const journal = await auditJournal(platform);
  problems.push(...journal.problems);
  if (lives.length === 0) problems.push('no user completed the story, so nothing was verified');

  report(journal.summary);
  report(`stories: ${lives.length}, repeated requests: ${api.repeats()}, kills: ${JSON.stringify(killed)}`);
  report(problems.length === 0 ? 'nothing is missing, nothing is duplicated' : problems.join('\n'));
  return { lives: lives.length, kills: killed, repeats: api.repeats(), problems };
};
