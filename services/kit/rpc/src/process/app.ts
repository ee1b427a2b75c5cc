/** A running process's parts, behind one handle. */
export type App = {
  /** http://host:port where it listens. */
  url: string;
  /** Stops accepting, ends what runs, releases everything. */
  close: () => Promise<void>;
};

/** Collects how to undo a start, so that a start that fails half-way and a normal stop release the same things in the same order. */
export type Closer = {
  /** Registers a release; they run in reverse order. */
  defer: (release: () => unknown) => void;
  close: () => Promise<void>;
};

export const createCloser = (): Closer => {
  const releases: (() => unknown)[] = [];
  return {
    defer: (release) => releases.push(release),
    close: async () => {
      const errors: unknown[] = [];
      for (let release = releases.pop(); release !== undefined; release = releases.pop()) {
        try {
          await release();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, 'not everything could be released');
    },
  };
};
