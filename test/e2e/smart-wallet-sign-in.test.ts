import { randomBytes } from 'node:crypto';
import { describeOnEvm, type Evm, GAS_BURNER, startEvm } from '@florin/evm/local-chain';
import { malleated, withV } from '@florin/evm/testing';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type FakeNode, startFakeNode } from '@florin/threeds/testing/fake-node';
import { signDigestAsSafe } from '@florin/threeds/testing/safe-signatures';
import { decodeJwt } from 'jose';
import {
  type Address,
  concat,
  encodeAbiParameters,
  getAddress,
  type Hex,
  hashMessage,
  hashTypedData,
  numberToHex,
  parseAbiParameters,
} from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newWallet, registerWithToken, signIn, siweMessage, type Tokens, type Wallet, walletToAdd } from '../support/story.ts';

/** Chain id of sign-in messages by default. */
const CHAIN_ID = 100;

const YES: Hex = `0x1626ba7e${'00'.repeat(28)}`;
const MAGIC: Hex = `0x${'6492'.repeat(16)}`;
const ANY: Hex = `0x${'ab'.repeat(130)}`;

const wrap = (factory: Address, creation: Hex, signature: Hex): Hex =>
  concat([encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [factory, creation, signature]), MAGIC]);

/** Contract code that returns one word. */
const answering = (word: Hex, length = 32): Hex => concat(['0x7f', word, '0x600052', '0x61', numberToHex(length, { size: 2 }), '0x6000f3']);

let evm: Evm;
let node: FakeNode;
let platform: PlatformInProcess;

const start = async () => {
  evm = await startEvm(CHAIN_ID);
  node = await startFakeNode(evm.url);
  platform = await startPlatformInProcess({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: node.url }) });
};

const submitOnce = (message: string, signature: string) => platform.api.request('POST', '/auth/siwe', { body: { message, signature } });
/** A node has two seconds for a contract's signature, which a busy machine may exceed. The message stays usable then. */
const submit = (message: string, signature: string) =>
  waitFor('an answer of the nodes', async () => {
    const answer = await submitOnce(message, signature);
    return answer.status === 503 ? undefined : answer;
  });

const signAs = (safe: Address, owner: Wallet, message: string): Promise<Hex> =>
  signDigestAsSafe(safe, [owner], CHAIN_ID, hashMessage(message));

const deploy = async (code: Hex): Promise<Address> => {
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`);
  await evm.setCode(address, code);
  return address;
};

describeOnEvm('sign-in of smart wallets', () => {
  beforeAll(start);
  afterEach(() => node?.make());
  afterAll(async () => {
    await platform?.close();
    await node?.close();
    await evm?.close();
  });

  describe('that are deployed (EIP-1271)', () => {
    it('opens a session for the Safe once, which can register', async () => {
      const owner = newWallet();
      const safe = await evm.deploySafe([owner.address]);
      const message = await siweMessage(platform.api, safe);
      const signature = await signAs(safe, owner, message);
      const answer = await submit(message, signature);
      expect(answer.status).toBe(200);
      const { accessToken } = answer.body as Tokens;
      expect(decodeJwt(accessToken)).toMatchObject({ sub: safe, pid: 'florin' });
      expectCode(await submit(message, signature), 401, 'NONCE_USED');
      const person = await registerWithToken(platform.api, accessToken);
      const again = await siweMessage(platform.api, safe);
      expect((await submit(again, await signAs(safe, owner, again))).body).toMatchObject({ userId: person.userId });
    });

    it('opens a session for a Safe of two owners who must both sign, and not with one of them', async () => {
      const owners = [newWallet(), newWallet()];
      const safe = await evm.deploySafe(
        owners.map(({ address }) => address),
        2,
      );
      const message = await siweMessage(platform.api, safe);
      const digest = hashMessage(message);
      for (const owner of owners) expectCode(await submit(message, await signAs(safe, owner, message)), 401, 'INVALID_SIGNATURE');
      const answer = await submit(message, await signDigestAsSafe(safe, owners, CHAIN_ID, digest));
      expect(decodeJwt((answer.body as Tokens).accessToken)).toMatchObject({ sub: safe });
    });

    it('lets the Safe of a user approve another wallet of the user', async () => {
      const { api } = platform;
      const owner = newWallet();
      const safe = await evm.deploySafe([owner.address], 1, 7n);
      const signInMessage = await siweMessage(api, safe);
      const { accessToken } = (await submit(signInMessage, await signAs(safe, owner, signInMessage))).body as Tokens;
      const { token } = await registerWithToken(api, accessToken);
      const other = newWallet();
      const message = await siweMessage(api, other.address, undefined, 'add_wallet');
      const signature = await other.signMessage({ message });
      const typedData = await api.as(token).user.createWalletChallenge({ wallet: other.address });
      const digest = hashTypedData({ ...typedData, message: { ...typedData.message, nonce: BigInt(typedData.message.nonce) } });
      const add = (approval: Hex) => api.request('POST', '/user/wallets', { token, body: { message, signature, approval } });
      expectCode(await add(await signDigestAsSafe(safe, [other], CHAIN_ID, digest)), 400, 'INVALID_APPROVAL');
      const approval = await signDigestAsSafe(safe, [owner], CHAIN_ID, digest);
      node.make(() => 'no JSON');
      expectCode(await add(approval), 503, 'SERVICE_UNAVAILABLE');
      node.make();
      expect((await add(approval)).body).toMatchObject({ address: other.address });
      const next = newWallet();
      const nextProof = await walletToAdd(api, token, next, other);
      expect((await api.request('POST', '/user/wallets', { token, body: nextProof })).status).toBe(200);
    });

    it('rejects messages that its owners have not signed for it, without consuming the nonce', async () => {
      const owner = newWallet();
      const safe = await evm.deploySafe([owner.address]);
      const other = await evm.deploySafe([owner.address], 1, 2n);
      const message = await siweMessage(platform.api, safe);
      const good = await signAs(safe, owner, message);
      const bad = [
        await signAs(safe, newWallet(), message),
        await signAs(other, owner, message),
        await signAs(safe, owner, `${message} `),
        await signDigestAsSafe(safe, [owner], 1, hashMessage(message)),
        await owner.signMessage({ message }),
        malleated(good),
        withV(good, 0),
        withV(good, 1),
        good.slice(0, -2),
        ANY,
        `0x${'00'.repeat(4096)}`,
        MAGIC,
        concat([good, MAGIC]),
      ];
      for (const signature of bad) expectCode(await submit(message, signature), 401, 'INVALID_SIGNATURE');
      expect((await submit(message, good)).status).toBe(200);
    });

    it('validates with a deployed wallet in its current state: nothing is called before', async () => {
      const [owner, stranger] = [newWallet(), newWallet()];
      const safe = await evm.deploySafe([owner.address]);
      const message = await siweMessage(platform.api, safe);
      const { to, data } = evm.creationOf([stranger.address]);
      expectCode(await submit(message, wrap(to, data, await signAs(safe, stranger, message))), 401, 'INVALID_SIGNATURE');
      node.make();
      expect((await submit(message, wrap(to, data, await signAs(safe, owner, message)))).status).toBe(200);
      const called = node.seen.filter(({ method }) => method === 'eth_call').map(({ params }) => JSON.stringify(params));
      expect(called).toHaveLength(1);
      expect(called[0]).not.toContain(to.slice(2).toLowerCase());
    });

    const hostile: [string, Hex][] = [
      ['reverts', '0x60006000fd'],
      ['burns all gas', GAS_BURNER],
      ['writes before it says yes', concat(['0x6001600055', answering(YES)])],
      ['says yes in 31 bytes', answering(YES, 31)],
      ['says all ones', answering(`0x${'ff'.repeat(32)}`)],
      ['answers a megabyte', '0x621000006000f3'],
    ];
    it.each(hostile)('rejects a contract that %s', async (_name, code) => {
      const contract = await deploy(code);
      expectCode(await submit(await siweMessage(platform.api, contract), ANY), 401, 'INVALID_SIGNATURE');
    });
  });

  describe('that are not deployed yet (EIP-6492)', () => {
    it('opens a session for a future Safe without deploying it', async () => {
      const owner = newWallet();
      const safe = await evm.predictSafe([owner.address]);
      const message = await siweMessage(platform.api, safe);
      const { to, data } = evm.creationOf([owner.address]);
      const inner = await signAs(safe, owner, message);
      expectCode(await submit(message, inner), 401, 'INVALID_SIGNATURE');
      const answer = await submit(message, wrap(to, data, inner));
      expect(answer.status).toBe(200);
      expect(decodeJwt((answer.body as Tokens).accessToken)).toMatchObject({ sub: safe });
      expect(await evm.rpc('eth_getCode', [safe, 'latest'])).toBe('0x');
      expect(node.seen.map(({ method }) => method)).not.toContain('eth_sendTransaction');
    });

    it('rejects another owner, factory or deployment, and calls that run out of gas', async () => {
      const owner = newWallet();
      const safe = await evm.predictSafe([owner.address]);
      const message = await siweMessage(platform.api, safe);
      const { to, data } = evm.creationOf([owner.address]);
      const inner = await signAs(safe, owner, message);
      const stranger = newWallet();
      const burner = await deploy(GAS_BURNER);
      const bad = [
        wrap(to, data, await signAs(safe, stranger, message)),
        wrap(to, evm.creationOf([stranger.address]).data, await signAs(safe, stranger, message)),
        wrap(await deploy(answering(YES)), data, inner),
        wrap(burner, data, inner),
        wrap(to, '0x', inner),
        wrap(to, data, malleated(inner)),
        wrap(to, data, '0x'),
        wrap(to, data, wrap(to, data, inner)),
      ];
      for (const signature of bad) expectCode(await submit(message, signature), 401, 'INVALID_SIGNATURE');
      expect((await submit(message, wrap(to, data, inner))).status).toBe(200);
    });

    it('rejects a plain account, at whose address no deployment creates code', async () => {
      const wallet = newWallet();
      const message = await siweMessage(platform.api, wallet.address);
      const stranger = newWallet();
      const { to, data } = evm.creationOf([stranger.address]);
      expectCode(await submit(message, wrap(to, data, await stranger.signMessage({ message }))), 401, 'INVALID_SIGNATURE');
    });
  });

  it('does not call the node for a plain account and returns 503 for others while it is unavailable', async () => {
    const owner = newWallet();
    const safe = await evm.deploySafe([owner.address]);
    const message = await siweMessage(platform.api, safe);
    const signature = await signAs(safe, owner, message);
    for (const trouble of ['handled' as const, 'no JSON', { error: { code: -32_000, message: 'header not found' } }, { result: '0x' }]) {
      node.make(() => trouble);
      expectCode(await submitOnce(message, signature), 503, 'SERVICE_UNAVAILABLE');
    }
    node.make(() => 'handled');
    expect((await signIn(platform.api, newWallet())).accessToken).toBeDefined();
    expect(node.seen).toEqual([]);
    node.make();
    expect((await submit(message, signature)).status).toBe(200);
  });

  it('does not trust a node without new blocks, because an owner may have been removed since', async () => {
    const owner = newWallet();
    const safe = await evm.deploySafe([owner.address]);
    platform.clock.advanceSeconds(120);
    const message = await siweMessage(platform.api, safe);
    const signature = await signAs(safe, owner, message);
    expectCode(await submitOnce(message, signature), 503, 'SERVICE_UNAVAILABLE');
    await evm.mineAt(platform.clock.now());
    expect((await submit(message, signature)).status).toBe(200);
  });
});

describe('without a node of the chain', () => {
  let plain: PlatformInProcess;
  beforeAll(async () => {
    plain = await startPlatformInProcess();
  });
  afterAll(() => plain?.close());

  it('rejects every smart wallet', async () => {
    const message = await siweMessage(plain.api, newWallet().address);
    const answer = await plain.api.request('POST', '/auth/siwe', { body: { message, signature: ANY } });
    expectCode(answer, 401, 'INVALID_SIGNATURE');
  });
});
