import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { InstanceService, ProveInstanceRequestSchema, ProveInstanceResponseSchema } from '@florin/proto/ledger/v1/instance_service';
import { serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { waitFor } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { codeOf, newHeadKey, type TestLedger } from '../testing/world.ts';
import { createInstanceProofs, type InstanceProofs } from './instance-proof.ts';
import type { Lease } from './lease.ts';

/** Longer than these tests run, so that nothing but the tests changes a lease. */
const LEASE_MS = '60000';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Answer = (nonce: Uint8Array, url: string) => string | Promise<string>;

/** A process that answers challenges as it likes, and keeps what else it is sent. */
const startImpostor = async (answer: Answer) => {
  const received: IncomingHttpHeaders[] = [];
  let challenges = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    if (request.url?.endsWith('/ProveInstance') !== true) {
      received.push(request.headers);
      response.writeHead(503).end();
      return;
    }
    challenges += 1;
    expect(request.headers['authorization']).toBeUndefined();
    const { nonce } = fromBinary(ProveInstanceRequestSchema, body);
    const reply = create(ProveInstanceResponseSchema, { signature: await answer(nonce, url) });
    response.writeHead(200, { 'content-type': 'application/proto' }).end(toBinary(ProveInstanceResponseSchema, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, received, challenges: () => challenges };
};

/** One instance, and a shard that a lease in Redis gives to someone else. */
const startWith = async (lease: (url: string) => Partial<Lease>, answer: Answer) => {
  const cluster: Cluster = await startCluster(1, { LEDGER_LEASE_MS: LEASE_MS });
  ends.push(cluster.close);
  const impostor = await startImpostor(answer);
  const forged: Lease = { instance: randomUUID(), url: impostor.url, token: randomUUID(), epoch: 1_000_000, ...lease(impostor.url) };
  expect(await cluster.leases.hold('0', forged)).toBe(true);
  const ledger = await cluster.start();
  return { cluster, impostor, ledger };
};

/** Calls until the impostor is challenged again: then its answer to the first challenge has been rejected. @returns the call's code */
const call = async (ledger: TestLedger, impostor: { challenges: () => number }) => {
  const enough = new AbortController();
  const before = impostor.challenges();
  const options = { ...ledger.operator, signal: enough.signal };
  const code = codeOf(ledger.entries.listTransfers({ accountId: randomUUID() }, options));
  await waitFor('another challenge', async () => (impostor.challenges() > before + 1 ? true : undefined));
  enough.abort();
  return code;
};

const foreignKey = (): InstanceProofs =>
  createInstanceProofs({ scope: 'any', serviceKey: serviceKeySchema.parse(JSON.parse(newHeadKey())), trust: { clients: [] } });

describe('an address of an instance', () => {
  it.each<[string, Answer]>([
    ['a lease that was forged, to a process that cannot sign', () => ''],
    ['a forged lease, to a process with a foreign key', (nonce, url) => foreignKey().prove(url, nonce)],
    ['an old lease, to a process that has its address now and repeats an old answer', () => randomBytes(64).toString('base64url')],
  ])('is not followed when it comes from %s', async (_name, answer) => {
    const { impostor, ledger } = await startWith(() => ({}), answer);
    expect(await call(ledger, impostor)).not.toBe('no error');
    expect(impostor.received).toEqual([]);
  });

  it('is not followed when the process relays the challenge to a real instance', async () => {
    const other = await startCluster(1, { LEDGER_LEASE_MS: LEASE_MS });
    ends.push(other.close);
    let real = '';
    const relay: Answer = async (nonce) => {
      const channel = createRpcChannel({ baseUrl: real, timeoutMs: 5000 });
      const { signature } = await channel.client(InstanceService).proveInstance({ nonce });
      await channel.close();
      return signature;
    };
    const { cluster, impostor, ledger } = await startWith(() => ({}), relay);
    real = ledger.url;
    expect(await call(ledger, impostor)).not.toBe('no error');
    real = (await cluster.start()).url;
    expect(await call(ledger, impostor)).not.toBe('no error');
    expect(impostor.received).toEqual([]);
  });

  it('is not followed when it was announced among the instances', async () => {
    const cluster = await startCluster(1, { LEDGER_LEASE_MS: LEASE_MS });
    ends.push(cluster.close);
    const impostor = await startImpostor(() => '');
    await cluster.leases.beat(impostor.url);
    const lease = { instance: randomUUID(), url: 'http://127.0.0.1:9', token: randomUUID(), epoch: 1_000_000 };
    expect(await cluster.leases.hold('0', lease)).toBe(true);
    expect(await call(await cluster.start(), impostor)).not.toBe('no error');
    expect(impostor.received).toEqual([]);
  });

  it('is followed when the process there proves to be an instance', async () => {
    const cluster = await startCluster(1, { LEDGER_LEASE_MS: LEASE_MS });
    ends.push(cluster.close);
    const [owner, other] = [await cluster.start(), await cluster.start()];
    const { accountId } = await owner.open();
    expect(await codeOf(other.entries.listTransfers({ accountId }, other.operator))).toBe('no error');
  });
});

describe('the proof of an instance', () => {
  const key = serviceKeySchema.parse(JSON.parse(newHeadKey()));
  const next = serviceKeySchema.parse(JSON.parse(newHeadKey()));
  const { d: _private, ...publicKey } = next;
  const clients = [
    { name: 'ledger', key: publicKey, scopes: [] },
    { name: 'gateway', key: serviceKeySchema.parse(JSON.parse(newHeadKey())), scopes: [] },
  ];
  const own = createInstanceProofs({ scope: 'a', serviceKey: key, trust: { clients } });
  const nonce = randomBytes(32);
  const url = 'http://10.0.0.1:50053';

  it('holds for one challenge, one address and one database', () => {
    const proof = own.prove(url, nonce);
    expect(own.isProof(url, nonce, proof)).toBe(true);
    expect(own.isProof(url, randomBytes(32), proof)).toBe(false);
    expect(own.isProof('http://10.0.0.2:50053', nonce, proof)).toBe(false);
    const elsewhere = createInstanceProofs({ scope: 'b', serviceKey: key, trust: { clients: [] } });
    expect(own.isProof(url, nonce, elsewhere.prove(url, nonce))).toBe(false);
  });

  it('may be made with another key that the ledger trusts as its own, and no other', () => {
    const successor = createInstanceProofs({ scope: 'a', serviceKey: next, trust: { clients: [] } });
    expect(own.isProof(url, nonce, successor.prove(url, nonce))).toBe(true);
    const gateway = createInstanceProofs({ scope: 'a', serviceKey: clients[1]?.key as never, trust: { clients: [] } });
    expect(own.isProof(url, nonce, gateway.prove(url, nonce))).toBe(false);
  });
});
