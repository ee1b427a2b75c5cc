/** Positions of entries by the keys of their ids (`entryKey`). Two ids may share a key. */
export type PositionTable = {
  add: (key: number, position: number) => void;
  has: (key: number) => boolean;
  /** Positions under a key: nearly always none or one. */
  find: (key: number) => number[];
  clear: () => void;
  size: () => number;
};

const FIRST_SLOTS = 1024;

/**
 * A hash table with open addressing in two columns: entries come and go by the ten thousands each second, and as objects of a map the
 * garbage collector would visit each of them. Keys are hashes already, so a slot is chosen by their last bits. At most half of the slots are taken.
 */
export const createPositionTable = (): PositionTable => {
  /** Each key plus one: zero marks a free slot. */
  let keys = new Float64Array(FIRST_SLOTS);
  let positions = new Float64Array(FIRST_SLOTS);
  let size = 0;

  const put = (marked: number, position: number): void => {
    const mask = keys.length - 1;
    let slot = marked & mask;
    while (keys[slot] !== 0) slot = (slot + 1) & mask;
    keys[slot] = marked;
    positions[slot] = position;
  };

  const grow = (): void => {
    const [oldKeys, oldPositions] = [keys, positions];
    keys = new Float64Array(2 * oldKeys.length);
    positions = new Float64Array(2 * oldKeys.length);
    for (const [slot, marked] of oldKeys.entries()) if (marked !== 0) put(marked, oldPositions[slot] ?? 0);
  };

  return {
    add: (key, position) => {
      if (2 * (size + 1) > keys.length) grow();
      put(key + 1, position);
      size += 1;
    },
    has: (key) => {
      const mask = keys.length - 1;
      const marked = key + 1;
      for (let slot = marked & mask; keys[slot] !== 0; slot = (slot + 1) & mask) if (keys[slot] === marked) return true;
      return false;
    },
    find: (key) => {
      const mask = keys.length - 1;
      const marked = key + 1;
      const found: number[] = [];
      for (let slot = marked & mask; keys[slot] !== 0; slot = (slot + 1) & mask) {
        if (keys[slot] === marked) found.push(positions[slot] ?? 0);
      }
      return found;
    },
    clear: () => {
      keys.fill(0);
      size = 0;
    },
    size: () => size,
  };
};
