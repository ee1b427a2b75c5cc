import type { Platform } from '@florin/local';
import { pause } from '@florin/rpc/time';
import { auditJournal, auditLife } from './audit.ts';
import { type Life, live } from './life.ts';
import { createPersistentClient } from './persistent-client.ts';

export type FaultOptions = {
  /** How many processes are killed in all. */
  kills: number;
  /** People who live at the same time. */
  people?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); which process dies, and when. */
  random?: () => number;
};

export type FaultResult = { lives: number; kills: Record<string, number>; repeats: number; problems: string[] };

const MIN_PAUSE_MS = 500;
const MORE_PAUSE_MS = 2500;

/**
 * People live through the story, over and over, while random processes (engines, services, gateway) are killed with SIGKILL.
 * Afterwards everything that was acknowledged must be there once, nothing else, and the journal must verify.
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
        problems.push(`a definite answer was wrong: ${error instanceof Error ? error.message : String(error)}`);
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
      report(`kill ${count} of ${kills}: ${victim.name} (${lives.length} lives so far)`);
    } catch {
      // It ended by itself between the look and the shot.
    }
  }
  await pause(MORE_PAUSE_MS);
  over = true;
  await Promise.all(loops);

  for (const life of lives) problems.push(...(await auditLife(api, life)));
  const journal = await auditJournal(platform);
  problems.push(...journal.problems);
  if (lives.length === 0) problems.push('nobody lived through the whole story: nothing was proven');

  report(journal.summary);
  report(`lives: ${lives.length}, repeated requests: ${api.repeats()}, kills: ${JSON.stringify(killed)}`);
  report(problems.length === 0 ? 'nothing is lost, nothing is doubled' : problems.join('\n'));
  return { lives: lives.length, kills: killed, repeats: api.repeats(), problems };
};
