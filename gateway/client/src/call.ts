import { FlorinError } from './errors.ts';
import type { Result } from './types.ts';

type Page = {
  data?: readonly unknown[];
  pagination?: { nextCursor: string | null; hasNext: boolean };
  cursor?: string;
  hasMore?: boolean;
};

type AnyCall = Promise<unknown> & {
  result: () => Promise<Result<unknown, FlorinError>>;
  pages: () => AsyncGenerator<Page>;
  [Symbol.asyncIterator]: () => AsyncGenerator<unknown>;
};

/** The change of the query that leads to the next page; undefined after the last. */
const nextOf = ({ pagination, cursor, hasMore }: Page): Record<string, string> | undefined => {
  if (pagination?.hasNext === true && pagination.nextCursor !== null) return { cursor: pagination.nextCursor };
  return hasMore === true && cursor !== undefined ? { after: cursor } : undefined;
};

/**
 * Adds to the promise of a response what a call offers.
 * @param follow requests the same list with a changed query
 */
export const toCall = (response: Promise<unknown>, follow: (changed: Record<string, string>) => Promise<unknown>): AnyCall => {
  const pages = async function* (): AsyncGenerator<Page> {
    let page = (await response) as Page;
    for (;;) {
      yield page;
      const changed = nextOf(page);
      if (changed === undefined) return;
      page = (await follow(changed)) as Page;
    }
  };
  return Object.assign(response, {
    result: () =>
      response.then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => {
          if (error instanceof FlorinError) return { ok: false as const, error };
          throw error;
        },
      ),
    pages,
    [Symbol.asyncIterator]: async function* () {
      for await (const { data = [] } of pages()) yield* data;
    },
  });
};
