/** How many blocks are read together. */
export type BlockWindow = {
  size: () => number;
  /** Reading succeeded: more may be read together. */
  grow: () => void;
  /** Reading failed: fewer are read together. */
  shrink: () => void;
};

/**
 * Adapts to nodes. One that fails now and then, or that answers only a part of a large request, would otherwise fail the more surely the more blocks there are to catch
 * up with.
 */
export const createBlockWindow = (most: number): BlockWindow => {
  let size = most;
  return {
    size: () => size,
    grow: () => {
      size = Math.min(most, size * 2);
    },
    shrink: () => {
      size = Math.max(1, Math.floor(size / 4));
    },
  };
};
