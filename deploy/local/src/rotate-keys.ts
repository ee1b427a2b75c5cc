import { parseArgs } from 'node:util';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { createOperatorCall } from './operator-call.ts';
import { ROOT_DIR, runMain } from './run-main.ts';

const SERVICE = 'florin.identity.v1.KeyService';

/**
 * `npm run rotate-keys`: creates the next signing key for access tokens on the running platform, or on the identity service at `--url`, and prints when it takes effect.
 * `npm run rotate-keys -- --revoke KID`: revokes a key that may have leaked; its tokens are refused at once.
 */
const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { url: { type: 'string' }, 'data-dir': { type: 'string' }, revoke: { type: 'string' } } });
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), ROOT_DIR).dataDir;
  const kid = values.revoke;
  const call = createOperatorCall(
    dataDir,
    'identity',
    [kid === undefined ? IDENTITY_SCOPES.rotateKeys : IDENTITY_SCOPES.revokeKeys],
    values.url,
  );
  if (kid === undefined) {
    const next = await call<{ kid: string; signsFrom: string }>(`${SERVICE}/RotateSigningKey`, {});
    process.stdout.write(
      `Key ${next.kid} is published and signs new tokens from ${next.signsFrom}. The previous key is removed when its last token has expired.\n`,
    );
  } else {
    const { signingKid } = await call<{ signingKid: string }>(`${SERVICE}/RevokeSigningKey`, { kid });
    process.stdout.write(
      `Key ${kid} is revoked: its tokens are refused. Key ${signingKid} signs. Sessions continue with their next refresh.\n`,
    );
  }
  return 0;
};

runMain(main);
