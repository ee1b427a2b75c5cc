import type { SupervisedProcess } from '../processes/supervised-process.ts';
import type { RunningEngine } from './provider.ts';

/** Returns an engine that consists of supervised processes, which are stopped in the given order: front end first, storage last. */
export const runningProcesses = (uri: string, description: string, processes: readonly SupervisedProcess[]): RunningEngine => {
  return {
    uri,
    description,
    pids: () => processes.flatMap((process) => process.pid() ?? []),
    stop: async () => {
      for (const process of processes) await process.stop();
    },
  };
};
