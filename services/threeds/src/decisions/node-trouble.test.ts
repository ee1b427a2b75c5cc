import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { signableOf, signTypedMessage } from '@florin/evm/testing';
import { ChallengeStatus, Decision, SignerType } from '@florin/proto/threeds/v1/challenge';
import type { Environment } from '@florin/rpc/config';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FakeNode, startFakeNode, type Trouble } from '../testing/fake-node.ts';
import { signAsSafe } from '../testing/safe-signatures.ts';
import { CHAIN_ID, createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE } = Decision;
const owner = privateKeyToAccount(generatePrivateKey());

let evm: Evm;
let node: FakeNode;
let world: World;
let safe: `0x${string}`;

beforeAll(async () => {
  evm = await startEvm(CHAIN_ID);
  safe = await evm.deploySafe([owner.address]);
  node = await startFakeNode(evm.url);
  world = await createWorld({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: node.url }) });
});
afterEach(() => node.make());
afterAll(async () => {
  await world?.close();
  await node?.close();
  await evm?.close();
});

/** Just below the timeout of the wallets client. */
const SLOW_MS = 1300;
/** The deadline of the gateway's calls. */
const GATEWAY_TIMEOUT_MS = 5000;

/** A valid Safe signature, not submitted yet, and an instance that has not called its node yet. */
const given = async (environment: Environment = {}) => {
  const app = await world.start({}, environment);
  const person = world.newPerson(safe);
  const { id } = await app.acs.create(world.payment(person));
  const user = app.user(person);
  const data = await user.issue(id, APPROVE);
  return { app, person, id, user, data, signature: await signAsSafe(safe, [owner], signableOf(data)) };
};

const expectUnavailable = async ({ user, id, signature }: Awaited<ReturnType<typeof given>>) => {
  await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const stored = await world.stored(id);
  expect(stored).toMatchObject({ status: 'pending', badSignatures: 0 });
  expect(stored).not.toHaveProperty('decision');
};

const on =
  (method: string, response: object | string): Trouble =>
  (request) =>
    request.method === method ? response : undefined;

/** A response for the newest block. */
const block = (fields: object): Trouble => on('eth_getBlockByNumber', { result: { number: '0x1', timestamp: seconds(0), ...fields } });
const seconds = (ago: number): string => `0x${(Math.floor(Date.now() / 1000) - ago).toString(16)}`;

const word = (value: number) => value.toString(16).padStart(64, '0');
const YES = `1626ba7e${'00'.repeat(28)}`;

/** For a node that does not answer; others have the time that a busy machine needs. */
const IMPATIENT = { CHAIN_RPC_TIMEOUT_MS: '400' };

const troubles: [string, Trouble, Environment?][] = [
  ['hangs', () => 'handled', IMPATIENT],
  [
    'stops in the middle of a response',
    (_request, response) => {
      response.write('{"jsonrpc":');
      return 'handled';
    },
    IMPATIENT,
  ],
  [
    'closes the connection',
    (_request, response) => {
      response.destroy();
      return 'handled';
    },
  ],
  [
    'responds with HTTP 500',
    ({ id }, response) => {
      response.writeHead(500).end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x64' }));
      return 'handled';
    },
  ],
  [
    'redirects',
    (_request, response) => {
      response.writeHead(307, { location: evm.url }).end();
      return 'handled';
    },
  ],
  ['responds with HTML', () => '<html>'],
  ['responds with null', () => 'null'],
  ['responds with a list', () => '[]'],
  ['responds with another id', () => '{"jsonrpc":"2.0","id":99999,"result":"0x64"}'],
  ['responds without a result', () => ({})],
  ['rejects every call', () => ({ error: { code: -32005, message: 'limit exceeded' } })],
  ['responds with a megabyte', () => ({ result: `0x${'00'.repeat(1_000_000)}` })],
  ['is of another chain', on('eth_chainId', { result: '0x1' })],
  ['returns no chain id', on('eth_chainId', { result: null })],
  ['returns its chain id as a number', on('eth_chainId', { result: 100 })],
  ['returns no block', on('eth_getBlockByNumber', { result: null })],
  ['returns a block number that is a tag', block({ number: 'latest' })],
  ['returns a block number with a leading zero', block({ number: '0x01' })],
  ['returns a block number out of range', block({ number: `0x${'f'.repeat(16)}` })],
  ['returns a block without a timestamp', block({ timestamp: undefined })],
  ['returns a block with an invalid timestamp', block({ timestamp: 'now' })],
  ['has not produced a block for an hour', block({ timestamp: seconds(3600) })],
  ['no longer has the block', on('eth_call', { error: { code: -32000, message: 'header not found' } })],
  ['reports a revert that cannot happen', on('eth_call', { error: { code: 3, message: 'execution reverted', data: '0x' } })],
  ['returns empty call data', on('eth_call', { result: '0x' })],
  ['returns null call data', on('eth_call', { result: null })],
  ['returns call data in the form of the Safe itself', on('eth_call', { result: `0x${YES}` })],
  ['returns call data with an invalid success flag', on('eth_call', { result: `0x${word(2)}${word(32)}${YES}` })],
  ['returns call data in upper case', on('eth_call', { result: `0x${word(1)}${word(32)}${YES.toUpperCase()}` })],
  ['returns call data with one word too many', on('eth_call', { result: `0x${word(1)}${word(32)}${YES}${word(0)}` })],
];

describeOnEvm('a node that', () => {
  it.each(troubles)('%s makes a Safe signature SERVICE_UNAVAILABLE and does not affect wallets', async (_name, trouble, environment) => {
    const decision = await given(environment);
    node.make(trouble);
    await expectUnavailable(decision);
    const { user, id, person, data, app } = decision;
    expect((await user.submit(id, APPROVE, await signTypedMessage(person.wallet, data))).status).toBe(ChallengeStatus.APPROVED);
    expect((await app.office.receipt(id)).signerType).toBe(SignerType.WALLET);
  });

  it('is unavailable does not count the signature; once it is back, the same signature is accepted', async () => {
    const decision = await given();
    node.make((_request, response) => {
      response.destroy();
      return 'handled';
    });
    await expectUnavailable(decision);
    // The same holds for 65 bytes that no wallet signed: they may be a Safe's.
    const stranger = privateKeyToAccount(generatePrivateKey());
    await expectUnavailable({ ...decision, signature: await signTypedMessage(stranger, decision.data) });
    node.make();
    const { user, id, signature } = decision;
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('lags behind is not trusted; once it has caught up, the same signature is accepted', async () => {
    const { person, id } = await given();
    const later = new Date(world.clock.now().getTime() + 120_000);
    const user = (await world.start({ runtime: { now: () => later } })).user(person);
    const signature = await signAsSafe(safe, [owner], signableOf(await user.issue(id, APPROVE)));
    await expectUnavailable({ ...(await given()), user, id, signature });
    // A slower chain is allowed by configuration.
    const patient = await world.start({ runtime: { now: () => later } }, { CHAIN_RPC_MAX_AGE_SECONDS: '300' });
    await expect(patient.user(person).submit(id, APPROVE, `0x${'11'.repeat(80)}`)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await evm.mineAt(later);
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('hangs while identity is slow is reported within the deadline of the caller', async () => {
    const { person, id, data } = await given();
    const user = (await world.start({}, {}, GATEWAY_TIMEOUT_MS)).user(person);
    const stranger = privateKeyToAccount(generatePrivateKey());
    world.neighbours.slow.users = SLOW_MS;
    node.make(() => 'handled');
    const signature = await signTypedMessage(stranger, data);
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    delete world.neighbours.slow.users;
    expect((await user.get(id)).status).toBe(ChallengeStatus.PENDING);
  });

  it('hangs is not called for a malformed signature', async () => {
    const { user, id, data } = await given();
    node.make(() => 'handled');
    await expect(user.submit(id, APPROVE, `0x${'00'.repeat(65)}`)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(node.seen).toEqual([]);
    expect(data.nonce).toBeDefined();
  });
});

describeOnEvm('an honest node', () => {
  it('is asked for its chain id once, and to call only the account’s Safe, at one block, with a gas limit', async () => {
    const { app, person, user, id, signature } = await given();
    await user.issue(id, APPROVE);
    node.make();
    await user.submit(id, APPROVE, signature);
    const methods = () => node.seen.map(({ method }) => method).sort();
    expect(methods()).toEqual(['eth_call', 'eth_call', 'eth_chainId', 'eth_getBlockByNumber']);
    const block = `0x${(await evm.blockNumber()).toString(16)}`;
    for (const { params } of node.seen.filter(({ method }) => method === 'eth_call')) {
      expect(params).toEqual([{ data: expect.stringContaining(safe.slice(2).toLowerCase()), gas: '0x2625a0' }, block]);
    }

    const { id: next } = await app.acs.create(world.payment(person));
    const again = await signAsSafe(safe, [owner], signableOf(await user.issue(next, APPROVE)));
    node.make();
    await user.submit(next, APPROVE, again);
    expect(methods()).toEqual(['eth_call', 'eth_getBlockByNumber']);
  });

  it('is not called when a wallet signed, or for an account without a Safe on its chain', async () => {
    const { user, id, person, data } = await given();
    node.make();
    await user.submit(id, APPROVE, await signTypedMessage(person.wallet, data));
    const app: Instance = await world.start();
    const without = await world.raise(app);
    await without.user.issue(without.id, APPROVE);
    const elsewhere = world.newPerson(safe, 1);
    const { id: foreign } = await app.acs.create(world.payment(elsewhere));
    const issued = await app.user(elsewhere).issue(foreign, APPROVE);
    const signature = await signAsSafe(safe, [owner], signableOf(issued));
    await expect(without.user.submit(without.id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await expect(app.user(elsewhere).submit(foreign, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(node.seen).toEqual([]);
  });
});
