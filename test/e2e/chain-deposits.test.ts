import { openRedis } from '@florin/data/redis';
import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { quietLogger } from '@florin/rpc/testing';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type FakeNode, startFakeNode } from '@florin/threeds/testing/fake-node';
import type { Address } from 'viem';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { evmTokens } from '../support/evm-tokens.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { accountOf, newWallet, registerPerson } from '../support/story.ts';

const CHAIN_ID = 100;
const UNIT = 10n ** 18n;
/** Topic of `TransactionAdded` of a Delay module. */
const DELAY_ENQUEUED = '0x4c8a9c748e976c17c2eb2c2bc50da76eac9cd90ff529f0fe900e0c10a179f031';

type Movement = { txHash: string; amount: string; status: string };

describeOnEvm('money on a chain', { timeout: 60_000 }, () => {
  let evm: Evm;
  let node: FakeNode;
  let tokens: Awaited<ReturnType<typeof evmTokens>>;
  let eure: Address;
  let platform: PlatformInProcess;

  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    node = await startFakeNode(evm.url);
    tokens = await evmTokens(evm);
    eure = await tokens.deploy('EURe');
    platform = await startPlatformInProcess(
      { ...onChainEure({ address: eure }) },
      { chain: { CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: [evm.url, node.url] }), CHAIN_POLL_MS: '50' } },
    );
  }, 120_000);
  afterEach(() => node.make());
  afterAll(async () => {
    await platform?.close();
    await node?.close();
    await evm?.close();
  });

  const movements = async (token: string, path: string) =>
    (await platform.api.call<{ data: Movement[] }>('GET', path, { token })).data.map(({ txHash, amount, status }) => ({
      txHash,
      amount,
      status,
    }));
  const untilBooked = (token: string, path: string, txHash: string, status: string) =>
    waitFor(`${path} of ${txHash}`, async () =>
      (await movements(token, path)).find((one) => one.txHash === txHash && one.status === status),
    );
  const spendable = async (token: string): Promise<string> => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    return data.find(({ currency }) => currency === 'EUR')?.spendable ?? '';
  };

  it('credits tokens that were sent to a Safe before it is deployed', async () => {
    const { token } = await registerPerson(platform.api);
    const { safeAddress } = await accountOf(platform.api, token);
    expect(await evm.rpc('eth_getCode', [safeAddress, 'latest'])).toBe('0x');
    const txHash = await tokens.pay(eure, safeAddress, 25n * UNIT);
    expect(await untilBooked(token, '/user/deposits', txHash, 'approved')).toMatchObject({ amount: String(25n * UNIT) });
    expect(await spendable(token)).toBe('2500');
  });

  it('credits nothing that one of two nodes invents or has not seen, and catches up', async () => {
    const { token } = await registerPerson(platform.api);
    const { safeAddress } = await accountOf(platform.api, token);
    node.make(({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined));
    const txHash = await tokens.pay(eure, safeAddress, UNIT);
    // The node is asked about the block again and again, which one node alone cannot get past.
    await waitFor('three looks at the block', async () =>
      node.seen.filter(({ method }) => method === 'eth_getLogs').length >= 3 ? true : undefined,
    );
    expect(await movements(token, '/user/deposits')).toEqual([]);
    node.make();
    await untilBooked(token, '/user/deposits', txHash, 'approved');
    expect(await spendable(token)).toBe('100');
  });

  it('shows what arrives before it is final, as no money', async () => {
    const { token } = await registerPerson(platform.api);
    const { safeAddress } = await accountOf(platform.api, token);
    const arriving = async (): Promise<string[]> => {
      const { data } = await platform.api.as(token).userAccount.getBalances();
      const row = data.find(({ currency }) => currency === 'EUR');
      return [row?.processingDeposits ?? '', row?.tokens.find((one) => one.token === 'EURe')?.processingDeposits ?? ''];
    };
    // For one of the nodes, no block after this one is final yet.
    const last = await evm.rpc<object>('eth_getBlockByNumber', ['latest', false]);
    node.make(({ method, params }) => (method === 'eth_getBlockByNumber' && params[0] === 'finalized' ? { result: last } : undefined));
    const txHash = await tokens.pay(eure, safeAddress, 2n * UNIT);
    await waitFor('the transfer to arrive', async () => ((await arriving())[0] === '200' ? true : undefined));
    expect(await arriving()).toEqual(['200', String(2n * UNIT)]);
    expect(await movements(token, '/user/deposits')).toEqual([]);
    expect(await spendable(token)).toBe('0');
    node.make();
    await untilBooked(token, '/user/deposits', txHash, 'approved');
    await waitFor('the transfer to have arrived', async () => ((await arriving())[0] === '0' ? true : undefined));
    expect(await spendable(token)).toBe('200');
  });

  it('books what an owner takes out alone, and stops the spending of the account', async () => {
    const wallet = newWallet();
    const { token } = await registerPerson(platform.api, wallet);
    const { id, safeAddress } = await accountOf(platform.api, token);
    await untilBooked(token, '/user/deposits', await tokens.pay(eure, safeAddress, 10n * UNIT), 'approved');

    // The address commits to the owner only: the owner can deploy the Safe alone.
    expect(await evm.deploySafe([wallet.address], 1, BigInt(`0x${id.replaceAll('-', '')}`))).toBe(safeAddress);
    const txHash = await tokens.payFromSafe(safeAddress, wallet, eure, wallet.address, 4n * UNIT);
    expect(await untilBooked(token, '/user/withdrawals', txHash, 'completed')).toMatchObject({ amount: String(4n * UNIT) });
    await waitFor('the account to be blocked', async () =>
      (await accountOf(platform.api, token)).status === 'blocked' ? true : undefined,
    );
    expect(await tokens.balanceOf(eure, safeAddress)).toBe(6n * UNIT);
    expect(await spendable(token)).toBe('0');
  });

  it('stops the spending of an account whose Safe changes its owner, enables a module, or has a transaction waiting in it', async () => {
    const redis = await openRedis({ REDIS_URL: platform.databases.redisUrl }, quietLogger);
    try {
      const wallet = newWallet();
      const { token } = await registerPerson(platform.api, wallet);
      const { id, safeAddress } = await accountOf(platform.api, token);
      /** Other test files publish to the same stream, about other accounts. */
      const hasChanged = async (change: string): Promise<boolean> => {
        const messages = (await redis.xRange('florin:events:chain', '-', '+')) as { message: Record<string, string> }[];
        const payloads = messages
          .filter(({ message }) => message['type'] === 'safe.changed')
          .map(({ message }) => message['payload'] ?? '');
        return payloads.some((payload) => payload.includes(id) && payload.includes(change));
      };
      const untilChanged = (change: string) => waitFor(`the event ${change}`, async () => ((await hasChanged(change)) ? true : undefined));
      await evm.deploySafe([wallet.address], 1, BigInt(`0x${id.replaceAll('-', '')}`));

      // A module that names the Safe as its avatar, and reports a waiting transaction when it is called without data.
      const module = `0x${'de1a'.repeat(10)}` as const;
      await evm.setCode(module, `0x36602b577f${DELAY_ENQUEUED.slice(2)}60006000a1005b73${safeAddress.slice(2)}60005260206000f3`);
      const [sender] = await evm.rpc<Address[]>('eth_accounts');
      const enqueue = () => evm.rpc('eth_sendTransaction', [{ from: sender, to: module, gas: '0x186a0' }]);
      // Not enabled: anybody may deploy such a contract.
      await enqueue();
      await evm.executeFromSafe(safeAddress, wallet, { to: safeAddress, data: `0x610b5925${module.slice(2).padStart(64, '0')}` });
      await untilChanged('ENABLED_MODULE');
      expect((await accountOf(platform.api, token)).status).toBe('blocked');
      expect(await hasChanged('DELAY_ENQUEUED')).toBe(false);
      await enqueue();
      await untilChanged('DELAY_ENQUEUED');
      await evm.swapOwner(safeAddress, wallet, newWallet().address);
      await untilChanged('ADDED_OWNER');
    } finally {
      redis.destroy();
    }
  });
});
