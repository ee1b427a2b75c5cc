import { join } from 'node:path';
import type { Kubectl } from '../kubectl.ts';
import type { StateDir } from '../layout.ts';
import type { Programs } from '../programs/programs.ts';
import type { Processes } from './processes.ts';

/** Lets cert-manager issue what a namespace asks for, beside the controllers of Kubernetes. */
export const startCertManager = async (
  namespace: string,
  {
    state,
    programs,
    processes,
    kubectl,
    env,
  }: { state: StateDir; programs: Programs; processes: Processes; kubectl: Kubectl; env: NodeJS.ProcessEnv },
): Promise<void> => {
  const definitions = join(programs.built.certManager, 'definitions');
  // Not applied: the definitions are too large for the annotation that `kubectl apply` writes.
  await kubectl(['create', '-f', definitions]);
  await kubectl(['wait', '--for=condition=Established', '-f', definitions, '--timeout=60s']);
  processes.start('cert-manager', ['cert-manager', `--kubeconfig=${state.kubeconfig('cert-manager')}`, `--namespace=${namespace}`], env);
};
