import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMESPACE } from '@florin/cluster';
import { idlePod, runFileInPod } from '../in-pod.ts';
import type { Stage } from './stage.ts';

/** The caller of the ledger. */
const SCRIPT = join(import.meta.dirname, '../scripts/call-ledger.ts');

/** Callers that the network policies admit, with the gateway's key and the certificate of the named process. */
const CALLERS = [
  { name: 'own-certificate', certificate: 'gateway', refused: undefined },
  { name: 'no-certificate', certificate: undefined, refused: 'SERVICE_UNAVAILABLE' },
  { name: 'other-certificate', certificate: 'chain', refused: 'UNAUTHORIZED' },
] as const;

/** A pod without a certificate is refused, and so is one with a certificate that names another process than its token. */
export const certificates: Stage = {
  name: 'certificates',
  run: async ({ cluster, report }) => {
    const { kubectl, state } = cluster;
    const problems: string[] = [];
    const file = join(state.path, 'callers.json');
    const items = CALLERS.map(({ name, certificate }) =>
      idlePod(
        name,
        { 'florin/calls-ledger': 'true' },
        { '/run/secrets/florin': 'gateway-secrets', ...(certificate === undefined ? {} : { '/run/florin/tls': `${certificate}-tls` }) },
      ),
    );
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await kubectl(['apply', '-f', file]);
    for (const { name, refused } of CALLERS) {
      await kubectl(['wait', '--for=condition=Ready', `pod/${name}`, `--namespace=${NAMESPACE}`, '--timeout=60s']);
      const code = await runFileInPod<string>(cluster, name, SCRIPT);
      report(`a call of the ledger from the pod ${name}: ${code}`);
      const isRefused = code === 'UNAUTHORIZED' || code === 'SERVICE_UNAVAILABLE';
      if (refused === undefined ? isRefused : code !== refused) problems.push(`the pod ${name} got ${code}`);
    }
    await kubectl(['delete', '-f', file]);
    return problems;
  },
};
