import { existsSync, globSync, linkSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StateDir } from '../layout.ts';

const POLL_MS = 1000;

/** Where the kubelet of a node writes the logs of its pods, until a pod is deleted. */
export const podLogsOf = ({ logs }: StateDir, node: string): string => join(logs, `${node}-pods`);

/** Gives every log file of pods a second name in a directory on the same file system; one that has been rotated is another file. */
export const linkPodLogs = (podLogs: string, kept: string): void => {
  for (const file of globSync('*/*/*.log', { cwd: podLogs })) {
    const [pod = '', container = ''] = file.split('/');
    // The kubelet may remove it between the two steps.
    const found = statSync(join(podLogs, file), { throwIfNoEntry: false });
    if (found === undefined) continue;
    const link = join(kept, pod, `${container}-${basename(file, '.log')}-${found.ino}.log`);
    if (existsSync(link)) continue;
    mkdirSync(join(kept, pod), { recursive: true, mode: 0o700 });
    try {
      linkSync(join(podLogs, file), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
};

/** Keeps the logs of pods that are deleted, by a second name of each file: after a rolling update they tell what went wrong. */
export const keepPodLogs = (state: StateDir, nodes: readonly string[]): void => {
  setInterval(() => {
    for (const node of nodes) linkPodLogs(podLogsOf(state, node), join(state.logs, `${node}-pods-kept`));
  }, POLL_MS).unref();
};
