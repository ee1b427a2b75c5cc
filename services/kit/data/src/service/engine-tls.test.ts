import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { ConfigError } from '@florin/rpc/config';
import { type CertificateFiles, createTestCa, quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '../redis/index.ts';
import { openStore } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';

/** Ends TLS in front of an engine. @returns the port */
const startTlsRelay = async (target: URL, { TLS_CERT, TLS_KEY }: CertificateFiles) => {
  const sockets = new Set<Socket>();
  const server = createServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, (socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => [socket, upstream].map((each) => each.destroy()));
    }
    socket.pipe(upstream).pipe(socket);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  /** Replaces the certificate, and closes all connections, so that clients see the new one. */
  const replace = (next: CertificateFiles): void => {
    server.setSecureContext({ cert: readFileSync(next.TLS_CERT), key: readFileSync(next.TLS_KEY) });
    cut();
  };
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, replace, close };
};

type Authority = Awaited<ReturnType<typeof createTestCa>>;
let authority: Authority;
let stranger: Authority;
let files: CertificateFiles;
let strangerFiles: CertificateFiles;
let redis: Awaited<ReturnType<typeof startTlsRelay>>;
let mongodb: Awaited<ReturnType<typeof startTlsRelay>>;
const engines = testEngines();
beforeAll(async () => {
  [authority, stranger] = await Promise.all([createTestCa(), createTestCa()]);
  files = await authority.issue(['engine']);
  strangerFiles = await stranger.issue(['engine']);
  redis = await startTlsRelay(new URL(engines.redisUrl), files);
  mongodb = await startTlsRelay(new URL(engines.mongodbUri), files);
});
afterAll(async () => {
  await Promise.all([redis?.close(), mongodb?.close()]);
  await Promise.all([authority?.close(), stranger?.close()]);
});

/** A copy of the file of the engines' authority, which a test may replace. */
const copyOfAuthority = async (): Promise<string> => {
  const path = `${files.TLS_CA}.copy`;
  await cp(files.TLS_CA, path);
  return path;
};

describe('Redis with TLS', () => {
  const url = () => `rediss://127.0.0.1:${redis.port}`;

  it('is used when its certificate is of the named authority', async () => {
    const client = await openRedis({ REDIS_URL: url(), REDIS_CA: files.TLS_CA }, quietLogger);
    expect(await client.ping()).toBe('PONG');
    client.destroy();
  });

  it('is used after it and its authority were replaced, without a restart', async () => {
    const ca = await copyOfAuthority();
    const client = await openRedis({ REDIS_URL: url(), REDIS_CA: ca }, quietLogger);
    await cp(strangerFiles.TLS_CA, ca);
    redis.replace(strangerFiles);
    await waitFor('Redis with the new certificate', () => client.ping().catch(() => undefined));
    client.destroy();
    redis.replace(files);
  });

  it.each([
    ['a file that does not exist', () => ({ REDIS_URL: url(), REDIS_CA: '/nowhere.pem' })],
    ['a URL without TLS', () => ({ REDIS_URL: engines.redisUrl, REDIS_CA: files.TLS_CA })],
  ])('is rejected with %s', async (_what, config) => {
    await expect(openRedis(config(), quietLogger)).rejects.toThrow(ConfigError);
  });
});

describe('MongoDB with TLS', () => {
  const open = (ca: string) => {
    const uri = new URL(engines.mongodbUri);
    uri.port = String(mongodb.port);
    uri.searchParams.set('directConnection', 'true');
    uri.searchParams.set('tls', 'true');
    uri.searchParams.set('tlsCAFile', ca);
    return openStore({ uri: uri.href, database: engines.database, poolSize: 2, logger: quietLogger, connectTimeoutMs: 2000 });
  };

  it('is used when its certificate is of the named authority', async () => {
    const store = await open(files.TLS_CA);
    expect(await store.ping()).toMatchObject({ ok: 1 });
    await store.close();
  });

  it('is used after it and its authority were replaced, without a restart', async () => {
    const ca = await copyOfAuthority();
    const store = await open(ca);
    await cp(strangerFiles.TLS_CA, ca);
    mongodb.replace(strangerFiles);
    await waitFor('MongoDB with the new certificate', () => store.ping().catch(() => undefined), 60_000);
    await store.close();
    mongodb.replace(files);
  }, 70_000);

  it('is not used when its certificate is of another authority', async () => {
    await expect(open(strangerFiles.TLS_CA)).rejects.toThrow();
  });
});
