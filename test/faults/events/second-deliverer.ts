import { join } from 'node:path';
import { ensureKeys, fieldKeyFiles, NODE_FLAGS, type Platform } from '@florin/local';
import { testPort } from '@florin/rpc/testing/test-port';
import { createServiceProcess, type ServiceProcess } from '../../support/service-process.ts';
import { ROOT } from '../../support/settings.ts';

/** Starts a deliverer of webhooks beside the platform's own. @param env environment of the platform */
export const startSecondDeliverer = async (platform: Platform, env: NodeJS.ProcessEnv): Promise<ServiceProcess> => {
  const { dataDir, mongodbUri, redisUrl, urls } = platform;
  const keys = await ensureKeys(dataDir);
  const port = await testPort();
  const { METRICS_PORT: _metrics, ...rest } = env;
  const deliverer = createServiceProcess({
    name: 'webhooks 2',
    url: `http://127.0.0.1:${port}`,
    command: [process.execPath, ...(NODE_FLAGS.webhooks ?? []), join(ROOT, 'services/events/src/webhooks/main.ts')],
    env: {
      ...rest,
      ...fieldKeyFiles('webhooks', keys),
      HOST: '127.0.0.1',
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      REDIS_URL: redisUrl,
      SANDBOX: 'true',
      // The receiver is on this machine.
      WEBHOOKS_ALLOW_LOOPBACK: 'true',
      IDENTITY_URL: urls.identity,
      SERVICE_KEY_FILE: keys.keyFile('webhooks'),
      SERVICE_TRUST_FILE: keys.trustFile,
    },
    logFile: join(dataDir, 'logs', 'webhooks-2.log'),
    respawn: true,
  });
  await deliverer.start();
  return deliverer;
};
