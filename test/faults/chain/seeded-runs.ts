import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { type ChainFaultOptions, troubleChain } from './index.ts';

/** Kills of a short run: the second half of them is when the people leave. */
const KILLS = 3;
const PEOPLE = 2;

/**
 * Short runs of `troubleChain`, one after the other, with the random numbers of the seeds 1 to `count`: which process is killed and when, what people do, and
 * how the nodes behave. How they interleave with the processes differs each time.
 * @returns the problems, each with its seed
 */
export const seededRuns = async (
  count: number,
  { report, only }: Pick<ChainFaultOptions, 'report' | 'only'>,
): Promise<{ problems: string[] }> => {
  const problems: string[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    report(`seed ${seed} of ${count}`);
    const run = await troubleChain({ kills: KILLS, people: PEOPLE, random: seededRandom(seed), report, only });
    problems.push(...run.problems.map((problem) => `seed ${seed}: ${problem}`));
  }
  return { problems };
};
