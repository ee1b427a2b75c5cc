import type { ApiClient } from '../support/api-client.ts';
import { fromOwnAddress } from '../support/customer-address.ts';
import { type Life, live } from './life.ts';

export type People = {
  /** The stories that are complete so far. */
  lives: readonly Life[];
  /** Waits until everybody has ended the story under way. */
  stop: () => Promise<{ lives: readonly Life[]; problems: string[] }>;
};

/**
 * People who repeat their story.
 * @param api a client that repeats what was not answered
 */
export const openPeople = (api: ApiClient, count: number): People => {
  const [lives, problems]: [Life[], string[]] = [[], []];
  let over = false;
  const loop = async (): Promise<void> => {
    while (!over) {
      try {
        const life = await live(fromOwnAddress(api));
        if (life !== undefined) lives.push(life);
      } catch (error) {
        problems.push(`unexpected response: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  const loops = Array.from({ length: count }, loop);
  return {
    lives,
    stop: async () => {
      over = true;
      await Promise.all(loops);
      return { lives, problems };
    },
  };
};
