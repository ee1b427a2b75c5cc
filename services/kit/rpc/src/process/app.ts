/** Handle of a running process. */
export type App = {
  /** http://host:port where it listens. */
  url: string;
  /** http://host:port of `/metrics` and of the probes; undefined without `METRICS_PORT`. */
  internalUrl?: string;
  /** Reports that the process is not ready, and closes each connection after its next response. Resolves after `DRAIN_SECONDS`. */
  drain: () => Promise<void>;
  /** Stops accepting calls, ends the running work and releases all resources. */
  close: () => Promise<void>;
};

/** Collects the releases of a process, so that a failed start and a normal stop release the same resources in the same order. */
export type Closer = {
  /** Registers a release. Releases run in reverse order of registration. */
  defer: (release: () => unknown) => void;
  /** Runs all releases. @throws AggregateError after the last one when some failed */
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
      if (errors.length > 0) throw new AggregateError(errors, 'some resources could not be released');
    },
  };
};
