import { seededRandom } from '@florin/rpc/testing/seeded-random';

/** Kills of a short run: people leave near the end of them. */
const KILLS = 3;
const PEOPLE = 2;

/** Seeds of runs, both included. */
export type Seeds = { first: number; last: number };

const problemsOf = async (run: Promise<{ problems: string[] }>): Promise<string[]> => {
  try {
    return (await run).problems;
  } catch (error) {
    return [`ended with ${error instanceof Error ? error.message : String(error)}`];
  }
};

type Report = (line: string) => void;
type Trouble = (options: { kills: number; people: number; random: () => number } & SeededOptions) => Promise<{ problems: string[] }>;

export type SeededOptions = { only?: readonly string[] | undefined; report: Report };

/**
 * Makes short runs, one after the other, with the random numbers of some seeds: which process is killed and when, what people do, and how the nodes behave. How they
 * interleave with the processes differs each time. A run that fails or ends early does not keep the next ones from being made.
 * @returns the problems, each with its seed
 */
export const seededRuns =
  (trouble: Trouble) =>
  async ({ first, last }: Seeds, { report, only }: SeededOptions): Promise<{ problems: string[] }> => {
    const ended: { seed: number; problems: string[] }[] = [];
    for (let seed = first; seed <= last; seed += 1) {
      report(`seed ${seed} of ${first} to ${last}`);
      const run = trouble({ kills: KILLS, people: PEOPLE, random: seededRandom(seed), report, only });
      ended.push({ seed, problems: await problemsOf(run) });
    }
    for (const { seed, problems } of ended) report(`seed ${seed}: ${problems.length === 0 ? 'clean' : problems.join('; ')}`);
    return { problems: ended.flatMap(({ seed, problems }) => problems.map((problem) => `seed ${seed}: ${problem}`)) };
  };
