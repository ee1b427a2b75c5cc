import { ChallengeStatus, Decision, SignerType } from '@florin/proto/threeds/v1/challenge';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { INNER_CALL_TIMEOUT_MS } from '../clients/timeout.ts';
import { configShape } from '../config.ts';
import { sign, signableOf } from '../testing/calls.ts';
import { describeOnEvm, type Evm, startEvm } from '../testing/evm.ts';
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
  world = await createWorld({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: node.url }), CHAIN_RPC_TIMEOUT_MS: '400' });
});
afterEach(() => node.make());
afterAll(async () => {
  await world?.close();
  await node?.close();
  await evm?.close();
});

/** A good signature of a Safe, still to be submitted to an instance that has not met its node yet. */
const given = async () => {
  const app = await world.start();
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
  (method: string, answer: object | string): Trouble =>
  (request) =>
    request.method === method ? answer : undefined;

/** A newest block as a node might tell it. */
const block = (told: object): Trouble => on('eth_getBlockByNumber', { result: { number: '0x1', timestamp: seconds(0), ...told } });
const seconds = (ago: number): string => `0x${(Math.floor(Date.now() / 1000) - ago).toString(16)}`;

const word = (value: number) => value.toString(16).padStart(64, '0');
const YES = `1626ba7e${'00'.repeat(28)}`;

const troubles: [string, Trouble][] = [
  ['hangs', () => 'handled'],
  [
    'stops in the middle of an answer',
    (_request, response) => {
      response.write('{"jsonrpc":');
      return 'handled';
    },
  ],
  [
    'hangs up',
    (_request, response) => {
      response.destroy();
      return 'handled';
    },
  ],
  [
    'answers with HTTP 500',
    ({ id }, response) => {
      response.writeHead(500).end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x64' }));
      return 'handled';
    },
  ],
  [
    'sends elsewhere',
    (_request, response) => {
      response.writeHead(307, { location: evm.url }).end();
      return 'handled';
    },
  ],
  ['does not speak JSON', () => '<html>'],
  ['answers null', () => 'null'],
  ['answers a list', () => '[]'],
  ['answers somebody else', () => '{"jsonrpc":"2.0","id":99999,"result":"0x64"}'],
  ['answers without a result', () => ({})],
  ['refuses all', () => ({ error: { code: -32005, message: 'limit exceeded' } })],
  ['answers a megabyte', () => ({ result: `0x${'00'.repeat(1_000_000)}` })],
  ['is of another chain', on('eth_chainId', { result: '0x1' })],
  ['does not know its chain', on('eth_chainId', { result: null })],
  ['tells its chain as a number', on('eth_chainId', { result: 100 })],
  ['has no block', on('eth_getBlockByNumber', { result: null })],
  ['names its block by a word', block({ number: 'latest' })],
  ['writes a block with a leading zero', block({ number: '0x01' })],
  ['counts to more than there can be', block({ number: `0x${'f'.repeat(16)}` })],
  ['tells a block without its time', block({ timestamp: undefined })],
  ['tells a block with a time that is none', block({ timestamp: 'now' })],
  ['stands still since an hour', block({ timestamp: seconds(3600) })],
  ['has lost the block', on('eth_call', { error: { code: -32000, message: 'header not found' } })],
  ['speaks of a revert where none can be', on('eth_call', { error: { code: 3, message: 'execution reverted', data: '0x' } })],
  ['answers a call with nothing', on('eth_call', { result: '0x' })],
  ['answers a call with null', on('eth_call', { result: null })],
  ['answers a call as the Safe itself would', on('eth_call', { result: `0x${YES}` })],
  ['answers a call with a success that is none', on('eth_call', { result: `0x${word(2)}${word(32)}${YES}` })],
  ['answers a call in capitals', on('eth_call', { result: `0x${word(1)}${word(32)}${YES.toUpperCase()}` })],
  ['answers a call with a word too many', on('eth_call', { result: `0x${word(1)}${word(32)}${YES}${word(0)}` })],
];

describeOnEvm('a node that', () => {
  it.each(troubles)('%s makes nothing of a Safe’s signature, and wallets sign on', async (_name, trouble) => {
    const decision = await given();
    node.make(trouble);
    await expectUnavailable(decision);
    const { user, id, person, data, app } = decision;
    expect((await user.submit(id, APPROVE, await sign(person.wallet, data))).status).toBe(ChallengeStatus.APPROVED);
    expect((await app.office.receipt(id)).signerType).toBe(SignerType.WALLET);
  });

  it('is away makes nothing of it either; back, the same signature is good', async () => {
    const decision = await given();
    node.make((_request, response) => {
      response.destroy();
      return 'handled';
    });
    await expectUnavailable(decision);
    // Nor of 65 bytes that no wallet made: they may be a Safe's.
    const stranger = privateKeyToAccount(generatePrivateKey());
    await expectUnavailable({ ...decision, signature: await sign(stranger, decision.data) });
    node.make();
    const { user, id, signature } = decision;
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('stands still for longer than it may is not believed; once it has caught up, the same signature is good', async () => {
    const { person, id } = await given();
    const later = new Date(world.clock.now().getTime() + 120_000);
    const user = (await world.start({ runtime: { now: () => later } })).user(person);
    const signature = await signAsSafe(safe, [owner], signableOf(await user.issue(id, APPROVE)));
    await expectUnavailable({ ...(await given()), user, id, signature });
    // A node that is slower than that is for its configuration to allow.
    const patient = await world.start({ runtime: { now: () => later } }, { CHAIN_RPC_MAX_AGE_SECONDS: '300' });
    await expect(patient.user(person).submit(id, APPROVE, `0x${'11'.repeat(80)}`)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await evm.mineAt(later);
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('hangs while identity is slow is heard of before the caller gives up', async () => {
    const { user, person, id, data } = await given();
    const stranger = privateKeyToAccount(generatePrivateKey());
    const slowest = await world.start({}, { CHAIN_RPC_TIMEOUT_MS: String(configShape.CHAIN_RPC_TIMEOUT_MS.parse(undefined)) });
    world.neighbours.slow.users = INNER_CALL_TIMEOUT_MS - 200;
    node.make(() => 'handled');
    const signature = await sign(stranger, data);
    await expect(slowest.user(person).submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    delete world.neighbours.slow.users;
    expect((await user.get(id)).status).toBe(ChallengeStatus.PENDING);
  });

  it('is away is not missed when a signature is wrong in itself', async () => {
    const { user, id, data } = await given();
    node.make(() => 'handled');
    await expect(user.submit(id, APPROVE, `0x${'00'.repeat(65)}`)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(node.seen).toEqual([]);
    expect(data.nonce).toBeDefined();
  });
});

describeOnEvm('an honest node', () => {
  it('is asked for its chain once, and about the account’s own Safe alone, at one block, with a limit on gas', async () => {
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

  it('is not asked when a wallet signed, nor for who has no Safe on its chain', async () => {
    const { user, id, person, data } = await given();
    node.make();
    await user.submit(id, APPROVE, await sign(person.wallet, data));
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
