import { runningProcesses } from '../process-times.ts';

/** This process and all that descend from it, each with the time of its children that have ended. */
const family = (): { pid: number; parent: number; name: string; seconds: number }[] => {
  const all = runningProcesses().map(({ own, endedChildren, ...one }) => ({ ...one, seconds: own + endedChildren }));
  const members = new Map(all.filter(({ pid }) => pid === process.pid).map((one) => [one.pid, one]));
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const one of all) if (members.has(one.parent)) members.set(one.pid, one);
  }
  return [...members.values()];
};

/** Processor time in seconds that was used so far, by part of the stage. */
export type ProcessorTime = ReadonlyMap<string, number>;

/** @param ledgerPid pid of the ledger process */
export const processorTime = (ledgerPid: number): ProcessorTime => {
  const times = new Map<string, number>();
  for (const { pid, name, seconds } of family()) {
    const part = pid === process.pid ? 'client' : pid === ledgerPid ? 'ledger' : name;
    times.set(part, (times.get(part) ?? 0) + seconds);
  }
  return times;
};

/** Microseconds of processor time per piece of work between two readings, by part, parts that took next to nothing left out. */
export const perPiece = (before: ProcessorTime, after: ProcessorTime, pieces: number): Map<string, number> =>
  new Map(
    [...after]
      .map(([part, seconds]): [string, number] => [part, ((seconds - (before.get(part) ?? 0)) * 1e6) / pieces])
      .filter(([, micros]) => micros >= 0.05)
      .sort(([, a], [, b]) => b - a),
  );
