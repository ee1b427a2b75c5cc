import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMESPACE } from '@florin/cluster';
import { idlePod, runInPod } from '../in-pod.ts';
import type { Stage } from './stage.ts';

/** Calls the ledger with the token of the gateway. Prints the code of the error, or OK. */
const CALL = `
  import { existsSync, readFileSync } from 'node:fs';
  import { AccountService } from '@florin/proto/ledger/v1/account_service';
  import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
  import { createRpcChannel } from '@florin/rpc/client';
  import { CodedError } from '@florin/rpc/errors';
  import { openTls } from '@florin/rpc/tls';
  const directory = '/run/florin/tls';
  const files = { TLS_CERT: directory + '/tls.crt', TLS_KEY: directory + '/tls.key', TLS_CA: directory + '/ca.crt' };
  if (process.argv[1] === 'bare') process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const logger = { info() {}, warn() {}, error() {}, debug() {} };
  const tls = existsSync(directory) ? openTls(files, logger) : undefined;
  const key = serviceKeySchema.parse(JSON.parse(readFileSync('/run/secrets/florin/service-key.json', 'utf8')));
  const serviceToken = createServiceTokenSource({ key, audience: 'ledger', scopes: [] });
  const channel = createRpcChannel({ baseUrl: 'https://ledger:50053', serviceToken, tls });
  const code = await channel.client(AccountService).getAccount({}).then(() => 'OK', (error) => (error instanceof CodedError ? error.code : String(error)));
  console.log(JSON.stringify(code));
  process.exit(0);
`;

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
    for (const { name, certificate, refused } of CALLERS) {
      await kubectl(['wait', '--for=condition=Ready', `pod/${name}`, `--namespace=${NAMESPACE}`, '--timeout=60s']);
      const code = await runInPod<string>(cluster, name, CALL, certificate === undefined ? 'bare' : 'named');
      report(`a call of the ledger from the pod ${name}: ${code}`);
      const isRefused = code === 'UNAUTHORIZED' || code === 'SERVICE_UNAVAILABLE';
      if (refused === undefined ? isRefused : code !== refused) problems.push(`the pod ${name} got ${code}`);
    }
    await kubectl(['delete', '-f', file]);
    return problems;
  },
};
