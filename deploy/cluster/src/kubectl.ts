import { runStep } from '@florin/local';
import type { StateDir } from './layout.ts';

const TIMEOUT_MS = 120_000;

/** Runs kubectl as the administrator. @returns its output @throws StepError */
export type Kubectl = (args: readonly string[], options?: { timeoutMs?: number; input?: string }) => Promise<string>;

export const createKubectl =
  (state: StateDir, env: NodeJS.ProcessEnv): Kubectl =>
  (args, { timeoutMs = TIMEOUT_MS, input } = {}) =>
    runStep({
      command: 'kubernetes',
      args: ['kubectl', `--kubeconfig=${state.kubeconfig('admin')}`, `--cache-dir=${state.path}/kubectl`, ...args],
      env: { ...env, HOME: state.path },
      timeoutMs,
      ...(input === undefined ? {} : { input }),
    });
