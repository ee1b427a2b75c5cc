import { existsSync, readFileSync } from 'node:fs';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { createLogger } from '@florin/rpc/observe';
import { openTls } from '@florin/rpc/tls';

/**
 * Runs in a pod: calls the ledger with the service key of the gateway, and with the certificate of the pod if it has one. Prints the code of the error,
 * or OK, as JSON.
 */
const DIRECTORY = '/run/florin/tls';
const FILES = { TLS_CERT: `${DIRECTORY}/tls.crt`, TLS_KEY: `${DIRECTORY}/tls.key`, TLS_CA: `${DIRECTORY}/ca.crt` };

const tls = existsSync(DIRECTORY) ? openTls(FILES, createLogger('caller', 'silent')) : undefined;
// So that it is the ledger that refuses a caller without certificate, and not the caller that does not know the ledger's authority.
// biome-ignore lint/style/noProcessEnv: read by Node.js itself
if (tls === undefined) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
const key = serviceKeySchema.parse(JSON.parse(readFileSync('/run/secrets/florin/service-key.json', 'utf8')));
const serviceToken = createServiceTokenSource({ key, audience: 'ledger', scopes: [] });
const channel = createRpcChannel({ baseUrl: 'https://ledger:50053', serviceToken, tls });
const code = await channel
  .client(AccountService)
  .getAccount({})
  .then(
    () => 'OK',
    (error: unknown) => (error instanceof CodedError ? error.code : String(error)),
  );
process.stdout.write(`${JSON.stringify(code)}\n`, () => process.exit(0));
