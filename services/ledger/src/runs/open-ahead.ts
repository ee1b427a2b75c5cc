/** Runs that are read at the same time: the engine answers the next requests while this process takes in what it has. */
const AHEAD = 4;

/** Opens each of the items, a few at a time, and yields them in their order. @throws what `open` throws, once nothing is open any more */
export const openAhead = async function* <Item, Opened>(
  items: readonly Item[],
  open: (item: Item) => Promise<Opened>,
): AsyncGenerator<Opened, void, undefined> {
  const opening: Promise<Opened>[] = [];
  const begin = (item: Item | undefined): void => {
    if (item === undefined) return;
    const opened = open(item);
    // Thrown in its turn.
    opened.catch(() => undefined);
    opening.push(opened);
  };
  try {
    for (const item of items.slice(0, AHEAD)) begin(item);
    for (let next = AHEAD; ; next += 1) {
      const first = opening.shift();
      if (first === undefined) return;
      const opened = await first;
      begin(items[next]);
      yield opened;
    }
  } finally {
    await Promise.allSettled(opening);
  }
};
