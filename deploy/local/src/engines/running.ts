import type { SupervisedProcess } from '../processes/supervised-process.ts';
import type { RunningEngine } from './provider.ts';

/** An engine made of supervised processes, named from the front to the storage: they are stopped in that order. */
export function runningProcesses(uri: string, describe: string, processes: readonly SupervisedProcess[]): RunningEngine {
  return {
    uri,
    describe,
    pids: () => processes.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    stop: async () => {
      for (const process of processes) await process.stop();
    },
  };
}
