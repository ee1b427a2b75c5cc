import type { Appending } from '../feed/append-to-feeds.ts';
import type { Wake } from '../feed/wake.ts';
import type { Page, ReadOptions } from '../reading/read-feed.ts';
import type { UserReadOptions } from '../reading/read-user-events.ts';

/** Everything that handlers use. */
export type Dependencies = Appending & {
  read: (options: ReadOptions) => Promise<Page>;
  readOfUser: (options: UserReadOptions) => Promise<Page>;
  wake: Pick<Wake, 'wait'>;
};
