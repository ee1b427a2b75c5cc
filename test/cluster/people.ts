import { type Life, live } from '../faults/life.ts';
import type { ApiClient } from '../support/api-client.ts';
import { fromOwnAddress } from '../support/customer-address.ts';

/** People who repeat their story, with clients that repeat what was not answered. */
export const openPeople = (api: ApiClient, count: number): { stop: () => Promise<{ lives: Life[]; problems: string[] }> } => {
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
    stop: async () => {
      over = true;
      await Promise.all(loops);
      return { lives, problems };
    },
  };
};
