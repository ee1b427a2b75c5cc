import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { CardService } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, createServiceTokenSource, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { createRpcChannel } from '../client/index.ts';
import { ConfigError } from '../config/index.ts';
import { CodedError, fromWire } from '../errors/index.ts';
import { type Listener, serviceMethod, serviceStream, startRpcServer } from '../server/index.ts';
import { type CertificateFiles, createTestCa } from '../testing/certificates.ts';
import { createTestAuthority, implementPart, quietLogger, waitFor } from '../testing/index.ts';
import { testContract } from '../testing/test-contract.ts';
import { createPlatformFetch, openTls, type Tls } from './index.ts';

const CHECK_MS = 50;
const SCOPES = [CARD_SCOPES.readCards];
const authority = await createTestAuthority({ threeds: SCOPES, ledger: SCOPES });

let ca: Awaited<ReturnType<typeof createTestCa>>;
let strangers: Awaited<ReturnType<typeof createTestCa>>;
let server: Listener;
let serverFiles: CertificateFiles;
const opened: Tls[] = [];

const open = (files: Partial<CertificateFiles>): Tls => {
  const tls = openTls(files, quietLogger, { checkIntervalMs: CHECK_MS });
  if (tls === undefined) throw new Error('no TLS');
  opened.push(tls);
  return tls;
};

const serveCards = (tls: Tls): Promise<Listener> =>
  startRpcServer({
    host: '127.0.0.1',
    port: 0,
    tls,
    logger: quietLogger,
    health: {},
    documents: { '/document': async () => ({ hello: 'world' }) },
    authenticate: createAuthenticator({
      user: createUserTokenVerifier(authority.userKeys, () => new Date()),
      revoked: { check: () => undefined },
      service: createServiceTokenVerifier('card', authority.trust),
    }),
    services: [
      implementPart(testContract(CardService, { getCard: { access: 'service', scope: CARD_SCOPES.readCards } }), {
        getCard: serviceMethod(({ cardId }) => ({ card: { id: cardId } })),
      }),
      implementPart(testContract(ChallengeService, { watchChallenge: { access: 'service', scope: CARD_SCOPES.readCards } }), {
        watchChallenge: serviceStream(async function* ({ challengeId }) {
          yield { challenge: { id: challengeId } };
        }),
      }),
    ],
  });

beforeAll(async () => {
  [ca, strangers] = await Promise.all([createTestCa(), createTestCa()]);
  serverFiles = await ca.issue(['card']);
  server = await serveCards(open(serverFiles));
});
afterAll(async () => {
  await server?.close();
  for (const tls of opened) tls.close();
  await Promise.all([ca?.close(), strangers?.close()]);
});

/** Calls with the client's own service token over a connection with these certificates. @returns `OK` or the code */
const call = async (client: string, tls: Tls | undefined, baseUrl = server.url): Promise<string> => {
  const serviceToken = createServiceTokenSource({ key: authority.serviceKey(client), audience: 'card', scopes: SCOPES });
  const channel = createRpcChannel({ baseUrl, serviceToken, tls, timeoutMs: 20_000 });
  try {
    const { card } = await channel.client(CardService).getCard({ cardId: 'c-1' });
    return card?.id === 'c-1' ? 'OK' : 'another card';
  } catch (error) {
    return error instanceof CodedError ? error.code : String(error);
  } finally {
    await channel.close();
  }
};

/** The means of somebody who has certificates of an authority that is being dropped: open connections, and a session to resume (RFC 8446, section 2.2). */
const openedBy = async ({ TLS_CERT, TLS_KEY }: CertificateFiles, { url, port }: Listener) => {
  const trusting = { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY), rejectUnauthorized: false };
  const to = { ...trusting, host: '127.0.0.1', port, ALPNProtocols: ['http/1.1'] };
  const pool = new Pool(url, { connections: 1, connect: trusting });
  const ask = async () => {
    const { headers, body } = await pool.request({ path: '/document', method: 'GET' });
    await body.dump();
    return headers['connection'];
  };
  expect(await ask()).toBe('keep-alive');
  const http2 = connectHttp2(url, trusting);
  await once(http2, 'remoteSettings');
  const first = connectTls(to);
  const [session] = (await once(first, 'session')) as [Buffer];
  first.destroy();
  return {
    outcome: async () => {
      const http1 = await ask();
      if (!http2.closed) await once(http2, 'close');
      const again = connectTls({ ...to, session });
      let resumed = '';
      again
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => {
          resumed += chunk.toString();
        });
      again.write('GET /document HTTP/1.1\r\nHost: x\r\n\r\n');
      if (!again.closed) await once(again, 'close');
      await pool.destroy();
      return { http1, http2: 'closed', resumed };
    },
  };
};

describe('mutual TLS', () => {
  it('serves a client whose certificate names the owner of its token', async () => {
    expect(server.url).toMatch(/^https:/);
    expect(await call('threeds', open(await ca.issue(['threeds', 'threeds.florin.svc'])))).toBe('OK');
  });

  it.each(['1.1', '2'] as const)('binds service tokens to the connection over HTTP/%s', async (httpVersion) => {
    const files = await ca.issue(['threeds']);
    const nodeOptions = Object.fromEntries(
      (['TLS_CERT', 'TLS_KEY', 'TLS_CA'] as const).map((name) => [name.slice(4).toLowerCase(), readFileSync(files[name])]),
    );
    const transport =
      httpVersion === '2'
        ? createGrpcTransport({ baseUrl: server.url, nodeOptions })
        : createConnectTransport({ baseUrl: server.url, httpVersion, nodeOptions });
    const cards = createClient(CardService, transport);
    const ask = async (client: string) => {
      const headers = { authorization: `Bearer ${await authority.serviceToken(client, 'card', SCOPES)}` };
      return cards.getCard({ cardId: 'c-1' }, { headers }).then(
        () => 'OK',
        (error) => fromWire(error).code,
      );
    };
    const watch = async (client: string) => {
      const headers = { authorization: `Bearer ${await authority.serviceToken(client, 'card', SCOPES)}` };
      try {
        for await (const { challenge } of createClient(ChallengeService, transport).watchChallenge({ challengeId: 'c-1' }, { headers }))
          if (challenge?.id !== 'c-1') return 'another challenge';
        return 'OK';
      } catch (error) {
        return fromWire(ConnectError.from(error)).code;
      }
    };
    for (const call of [ask, watch]) {
      expect(await call('threeds')).toBe('OK');
      expect(await call('ledger')).toBe('UNAUTHORIZED');
    }
  });

  it.each<[string, () => Promise<Tls | undefined>]>([
    ['without a certificate', async () => undefined],
    ['with a certificate of another authority', async () => open({ ...(await strangers.issue(['threeds'])), TLS_CA: serverFiles.TLS_CA })],
    ['with an expired certificate', async () => open(await ca.issue(['threeds'], { days: -1 }))],
  ])('does not serve a client %s', async (_what, certificates) => {
    expect(await call('threeds', await certificates())).toBe('SERVICE_UNAVAILABLE');
  });

  it('does not serve cleartext', async () => {
    expect(await call('threeds', undefined, server.url.replace('https:', 'http:'))).not.toBe('OK');
  });

  it('does not let a client with certificates call a server in cleartext or of another authority', async () => {
    const tls = open(await ca.issue(['threeds']));
    expect(await call('threeds', tls, server.url.replace('https:', 'http:'))).not.toBe('OK');
    expect(await call('threeds', open({ ...(await ca.issue(['threeds'])), TLS_CA: (await strangers.issue(['x'])).TLS_CA }))).toBe(
      'SERVICE_UNAVAILABLE',
    );
  });

  it('serves documents to processes of the platform', async () => {
    const platformFetch = createPlatformFetch(open(await ca.issue(['gateway'])));
    expect(await (await platformFetch(`${server.url}/document`)).json()).toEqual({ hello: 'world' });
  });

  it('uses certificates that are replaced while it runs, on both sides', async () => {
    const clientFiles = await ca.issue(['ledger']);
    const tls = open(clientFiles);
    expect(await call('threeds', tls)).toBe('UNAUTHORIZED');
    const replaced = new Promise<void>((resolve) => tls.onChange(() => resolve()));
    await ca.replace(clientFiles, await ca.issue(['threeds']));
    await replaced;
    expect(await call('threeds', tls)).toBe('OK');

    const served = opened[0]?.current().cert;
    await ca.replace(serverFiles, await ca.issue(['card']));
    while (opened[0]?.current().cert.equals(served ?? Buffer.alloc(0))) await pause(CHECK_MS);
    expect(await call('threeds', tls)).toBe('OK');
  });

  it('changes to another authority while calls go on: first both are trusted, then all certificates are replaced, then the old authority is dropped', async () => {
    const [old, next] = await Promise.all([createTestCa(), createTestCa()]);
    const copies = await mkdtemp(join(tmpdir(), 'florin-authorities-'));
    const tlsOf: Tls[] = [];
    /** Files of a process's own, which are replaced one after the other. */
    const processOf = async (name: string) => {
      const issued = await old.issue([name]);
      const own = (file: string): string => join(copies, `${name}-${file}`);
      const files = { TLS_CERT: own('cert.pem'), TLS_KEY: own('key.pem'), TLS_CA: own('ca.pem'), TLS_CA_MORE: own('more.pem') };
      const put = async (by: CertificateFiles): Promise<void> => {
        for (const file of ['TLS_KEY', 'TLS_CERT', 'TLS_CA'] as const) await copyFile(by[file], files[file]);
      };
      await put(issued);
      const tls = open(files);
      tlsOf.push(tls);
      const trust = async (authorities: readonly string[]): Promise<void> => {
        if (authorities.length === 0) await rm(files.TLS_CA_MORE);
        else await writeFile(files.TLS_CA_MORE, (await Promise.all(authorities.map((file) => readFile(file, 'utf8')))).join(''));
      };
      return { tls, put, trust };
    };
    const [card, threeds] = [await processOf('card'), await processOf('threeds')];
    const processes = [card, threeds];
    const serving = await serveCards(card.tls);
    const answers: string[] = [];
    let over = false;
    const calling = (async () => {
      while (!over) answers.push(await call('threeds', threeds.tls, serving.url));
    })();
    const trusted = (count: number) =>
      waitFor(`${count} authorities to be trusted`, async () => (tlsOf.every((tls) => tls.authorities() === count) ? true : undefined));
    const holds = (tls: Tls, { TLS_CERT }: CertificateFiles) =>
      waitFor('the new certificate', async () => (tls.current().cert.equals(await readFile(TLS_CERT)) ? true : undefined));
    try {
      const [oldCa, nextCard, nextThreeds] = [(await old.issue(['x'])).TLS_CA, await next.issue(['card']), await next.issue(['threeds'])];
      for (const { trust } of processes) await trust([oldCa, nextCard.TLS_CA]);
      await trusted(2);
      await card.put(nextCard);
      await holds(card.tls, nextCard);
      expect(await call('threeds', threeds.tls, serving.url)).toBe('OK');
      await threeds.put(nextThreeds);
      await holds(threeds.tls, nextThreeds);
      const thief = await openedBy(await old.issue(['threeds']), serving);
      for (const { trust } of processes) await trust([]);
      await trusted(1);
      // Neither the connections that were open go on, nor is their session resumed.
      expect(await thief.outcome()).toEqual({ http1: 'close', http2: 'closed', resumed: '' });
      expect(await call('threeds', threeds.tls, serving.url)).toBe('OK');
      // Certificates of the old authority are worth nothing any more.
      expect(await call('threeds', open({ ...(await old.issue(['threeds'])), TLS_CA: nextCard.TLS_CA }), serving.url)).toBe(
        'SERVICE_UNAVAILABLE',
      );
    } finally {
      over = true;
      await calling;
      await serving.close();
      await Promise.all([old.close(), next.close(), rm(copies, { recursive: true, force: true })]);
    }
    expect(answers.length).toBeGreaterThan(3);
    expect(answers.filter((answer) => answer !== 'OK')).toEqual([]);
  });
});

describe('openTls', () => {
  it('is off without files, and rejects a part of them', async () => {
    expect(openTls({}, quietLogger)).toBeUndefined();
    expect(() => openTls({ TLS_CERT: serverFiles.TLS_CERT }, quietLogger)).toThrow(ConfigError);
  });

  it('rejects files that are missing or do not belong together', async () => {
    const other = await ca.issue(['other']);
    expect(() => openTls({ ...serverFiles, TLS_KEY: '/nowhere' }, quietLogger)).toThrow(ConfigError);
    expect(() => openTls({ ...serverFiles, TLS_KEY: other.TLS_KEY }, quietLogger)).toThrow(ConfigError);
  });

  it('keeps the material while the files do not match each other', async () => {
    const files = await ca.issue(['card']);
    const tls = open(files);
    const before = tls.current();
    const other = await ca.issue(['other']);
    await ca.replace(files, { ...other, TLS_CERT: files.TLS_CERT });
    await pause(4 * CHECK_MS);
    expect(tls.current()).toBe(before);
  });
});
