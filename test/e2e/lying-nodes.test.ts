import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type FakeNode, startFakeNode, type Trouble } from '@florin/threeds/testing/fake-node';
import { signDigestAsSafe } from '@florin/threeds/testing/safe-signatures';
import { type Hex, hashMessage } from 'viem';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newWallet, siweMessage } from '../support/story.ts';

const CHAIN_ID = 100;
const ANY: Hex = `0x${'ab'.repeat(130)}`;

const word = (value: number) => value.toString(16).padStart(64, '0');
/** A node's answer for a contract that accepts. */
const ACCEPTED = `0x${word(1)}${word(32)}1626ba7e${'00'.repeat(28)}`;
const lieAboutCalls: Trouble = ({ method }) => (method === 'eth_call' ? { result: ACCEPTED } : undefined);

let evm: Evm;
let one: FakeNode;
let two: FakeNode;
let platform: PlatformInProcess;

const submit = (message: string, signature: string) => platform.api.request('POST', '/auth/siwe', { body: { message, signature } });
/** The nodes have two seconds for a contract's signature, which a busy machine may exceed. The message stays usable then. */
const submitToHonest = (message: string, signature: string) =>
  waitFor('an answer of the nodes', async () => {
    const answer = await submit(message, signature);
    return answer.status === 503 ? undefined : answer;
  });

describeOnEvm('two nodes of a chain', () => {
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    [one, two] = await Promise.all([startFakeNode(evm.url), startFakeNode(evm.url)]);
    const urls = { [CHAIN_ID]: [one.url, two.url] };
    platform = await startPlatformInProcess({ CHAIN_RPC_URLS: JSON.stringify(urls), CHAIN_RPC_MIN_NODES: '2' });
  });
  afterEach(() => {
    one?.make();
    two?.make();
  });
  afterAll(async () => {
    await platform?.close();
    await Promise.all([one?.close(), two?.close()]);
    await evm?.close();
  });

  it('sign a Safe in when both say so, at the newest block that both have', async () => {
    const owner = newWallet();
    const safe = await evm.deploySafe([owner.address]);
    const behind = await evm.blockNumber();
    await evm.mine();
    const real = await evm.rpc<object>('eth_getBlockByNumber', [`0x${behind.toString(16)}`, false]);
    two.make(({ method, params }) => (method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { result: real } : undefined));
    one.make();
    const message = await siweMessage(platform.api, safe);
    const signature = await signDigestAsSafe(safe, [owner], CHAIN_ID, hashMessage(message));
    expect((await submit(message, signature)).status).toBe(200);
    const blocks = [...one.seen, ...two.seen].filter(({ method }) => method === 'eth_call').map(({ params }) => params[1]);
    expect(blocks).toEqual([`0x${behind.toString(16)}`, `0x${behind.toString(16)}`]);
  });

  it.each([
    ['the first', () => one],
    ['the second', () => two],
  ])('reject every sign-in when %s one lies, of a plain wallet and of a Safe', async (_which, liar) => {
    const owner = newWallet();
    const safe = await evm.deploySafe([owner.address], 1, BigInt(Date.now()));
    liar().make(lieAboutCalls);
    for (const victim of [newWallet().address, safe]) {
      const message = await siweMessage(platform.api, victim);
      expectCode(await submit(message, ANY), 503, 'SERVICE_UNAVAILABLE');
      const forged = await signDigestAsSafe(safe, [newWallet()], CHAIN_ID, hashMessage(message));
      expectCode(await submit(message, forged), 503, 'SERVICE_UNAVAILABLE');
      liar().make();
      expectCode(await submitToHonest(message, ANY), 401, 'INVALID_SIGNATURE');
      liar().make(lieAboutCalls);
    }
  });

  it('fail when one is unavailable, on another branch or of another height, and keep the message usable', async () => {
    const owner = newWallet();
    const safe = await evm.deploySafe([owner.address], 1, BigInt(Date.now()));
    const message = await siweMessage(platform.api, safe);
    const signature = await signDigestAsSafe(safe, [owner], CHAIN_ID, hashMessage(message));
    const latest = await evm.rpc<object>('eth_getBlockByNumber', ['latest', false]);
    const troubles: Trouble[] = [
      () => ({ error: { code: -32_000, message: 'unavailable' } }),
      ({ method }) => (method === 'eth_getBlockByNumber' ? { result: { ...latest, hash: `0x${'ab'.repeat(32)}` } } : undefined),
      ({ method }) => (method === 'eth_getBlockByNumber' ? { result: { ...latest, hash: undefined } } : undefined),
      ({ method, params }) => (method === 'eth_getBlockByNumber' && params[0] !== 'latest' ? { result: null } : undefined),
      ({ method }) => (method === 'eth_call' ? { result: `0x${word(1)}${word(0)}${word(0)}` } : undefined),
    ];
    for (const trouble of troubles) {
      two.make(trouble);
      expectCode(await submit(message, signature), 503, 'SERVICE_UNAVAILABLE');
    }
    two.make();
    expect((await submitToHonest(message, signature)).status).toBe(200);
  });
});
