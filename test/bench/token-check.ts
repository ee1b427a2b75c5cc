import type { AddressInfo } from 'node:net';
import { openRedis } from '@florin/data/redis';
import { fetchRevocations, followRevocations } from '@florin/data/revocations';
import { createAuthenticator, createRemoteUserKeys, createRevokedSessions, createUserTokenVerifier } from '@florin/rpc/auth';
import { createLogger } from '@florin/rpc/observe';
import express from 'express';

/**
 * One route twice: `/open` answers, `/checked` answers after the check of the token that every service makes, against a real identity and
 * the real stream of ended sessions. Runs in a process of its own.
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
