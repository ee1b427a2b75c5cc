import type { AppendToFeed } from '../feed/append.ts';
import type { FindFeed } from '../feed/find-feed.ts';
import type { Wake } from '../feed/wake.ts';
import type { Page, ReadOptions } from '../reading/read-feed.ts';
import type { UserReadOptions } from '../reading/read-user-events.ts';

/** Everything that handlers use. */
export type Dependencies = {
  append: AppendToFeed;
  findFeed: FindFeed;
  read: (options: ReadOptions) => Promise<Page>;
  readOfUser: (options: UserReadOptions) => Promise<Page>;
  wake: Pick<Wake, 'wait'>;
};
