import { type Cluster, NAMESPACE } from '@florin/cluster';
import { bundleScript } from '@florin/image';

const TIMEOUT_MS = 60_000;

/** Runs a short script, an ES module without packages, in a pod that has Node.js. @returns what it prints, as JSON */
export const runInPod = async <T>(
  { kubectl }: Pick<Cluster, 'kubectl'>,
  pod: string,
  script: string,
  ...args: readonly string[]
): Promise<T> => {
  const command = ['/nodejs/bin/node', '--input-type=module', '--eval', script, '--', ...args];
  return JSON.parse(await kubectl(['exec', `--namespace=${NAMESPACE}`, pod, '--', ...command], { timeoutMs: TIMEOUT_MS })) as T;
};

/**
 * Runs a program in a pod that has Node.js, with its own copy of everything that it imports: the image has no packages.
 * @param file path of its TypeScript
 * @returns what it prints, as JSON
 */
export const runFileInPod = async <T>({ kubectl }: Pick<Cluster, 'kubectl'>, pod: string, file: string): Promise<T> => {
  const command = ['exec', '--stdin', `--namespace=${NAMESPACE}`, pod, '--', '/nodejs/bin/node', '--input-type=module', '-'];
  return JSON.parse(await kubectl(command, { timeoutMs: TIMEOUT_MS, input: await bundleScript(file) })) as T;
};

/** A pod beside the platform, as restricted as its own, that waits for scripts. @param secrets names of Secrets by the directory to mount them at */
export const idlePod = (name: string, labels: Record<string, string>, secrets: Readonly<Record<string, string>> = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE, labels: { 'app.kubernetes.io/name': name, ...labels } },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 0,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'main',
        image: 'florin/platform:0.1.0',
        imagePullPolicy: 'Never',
        args: ['--eval', 'setInterval(() => undefined, 60_000)'],
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        volumeMounts: Object.values(secrets).map((secretName) => ({
          name: secretName,
          mountPath: Object.keys(secrets).find((path) => secrets[path] === secretName),
          readOnly: true,
        })),
      },
    ],
    volumes: Object.values(secrets).map((secretName) => ({ name: secretName, secret: { secretName, defaultMode: 0o440 } })),
  },
});
