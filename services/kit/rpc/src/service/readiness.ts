import type { Readiness } from '../internal.ts';

/**
 * Follows a process from its start to its stop.
 * @param always returns the names of what keeps any process from taking calls
 */
export const createReadiness = (always: () => string[]) => {
  const stopping = new AbortController();
  let isStarted = false;
  let waitsFor: readonly string[] = [];
  let warnings: () => readonly string[] = () => [];
  let missing: () => Promise<string[]> = async () => [];
  return {
    /** Aborts when the process begins to stop. */
    draining: stopping.signal,
    /** Sets the check: it returns the names of the dependencies without which the process cannot take calls. */
    readyUnless: (check: () => Promise<string[]>): void => {
      missing = check;
    },
    /** Sets what does not keep the process from taking calls, and still needs an operator. */
    warnWith: (source: () => readonly string[]): void => {
      warnings = source;
    },
    /** Reports that the start waits for dependencies. */
    waiting: (...dependencies: string[]): void => {
      waitsFor = dependencies;
    },
    started: (): void => {
      isStarted = true;
    },
    stop: (): void => stopping.abort(),
    current: async (): Promise<Readiness> => {
      if (stopping.signal.aborted) return { status: 'stopping', down: [] };
      if (!isStarted) return { status: 'starting', down: waitsFor };
      const down = [...always(), ...(await missing())];
      const warned = warnings();
      return { status: down.length === 0 ? 'ok' : 'unavailable', down, ...(warned.length === 0 ? {} : { warnings: warned }) };
    },
  };
};
