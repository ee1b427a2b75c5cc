import type { AddressInfo } from 'node:net';
import { openRedis } from '@florin/data/redis';
import { fetchRevocations, followRevocations } from '@florin/data/revocations';
import { createAuthenticator, createRemoteUserKeys, createRevokedSessions, createUserTokenVerifier } from '@florin/rpc/auth';
import { createLogger } from '@florin/rpc/observe';
import express from 'express';

/**
 * Serves one route twice: `/open` without and `/checked` with the token check of the services, with keys from a running identity service
 * and the stream of revoked sessions. Runs as a separate process.
 */
process.once('message', async ({ identityUrl, redisUrl }: { identityUrl: string; redisUrl: string }) => {
  const logger = createLogger('bench', 'silent');
  const revoked = createRevokedSessions();
  await followRevocations({ redis: await openRedis(redisUrl, logger), source: fetchRevocations(identityUrl), revoked, logger });
  const user = createUserTokenVerifier(createRemoteUserKeys(identityUrl), () => new Date());
  const authenticate = createAuthenticator({ user, revoked });
  const app = express();
  app.get('/open', (_request, response) => void response.json({ success: true }));
  app.get('/checked', async (request, response) => {
    await authenticate(request.get('authorization'));
    response.json({ success: true });
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit(0));
