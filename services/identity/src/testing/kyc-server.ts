import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { bind } from '@florin/rpc/process';

type Profile = { profileId: string; email: string; shareToken?: string };

/** A KYC provider over HTTP, as the adapter expects it: one profile per Idempotency-Key. */
export const startTestKycServer = async () => {
  const profiles = new Map<string, Profile>();
  /** Awaited when a request arrives and after its work, and called after its response is sent. */
  const hooks: { at: (moment: 'arrived' | 'worked' | 'answered', email: string) => Promise<void> | void } = { at: () => undefined };

  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', async () => {
      const key = String(request.headers['idempotency-key']);
      const { email, shareToken } = JSON.parse(text) as Omit<Profile, 'profileId'>;
      await hooks.at('arrived', email);
      const profile = profiles.get(key) ?? { profileId: randomUUID(), email, ...(shareToken === undefined ? {} : { shareToken }) };
      profiles.set(key, profile);
      await hooks.at('worked', email);
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ profileId: profile.profileId }), () => void hooks.at('answered', email));
    });
  });
  // The server ends no idle connection: a request that meets its end fails.
  server.keepAliveTimeout = 0;
  const { url } = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    profiles,
    hooks,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
