import { deployToken } from '@florin/evm/local-chain/deploy-token';
import { startEvm } from '@florin/evm/local-chain/start-evm';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import type { Address, Hex } from 'viem';
import { installCollection } from '../../support/evm-collection.ts';
import { onChainEure } from '../../support/on-chain-eure.ts';
import { makeFreezable } from './freezable-token.ts';
import { startMovingBlocks } from './moving-blocks.ts';
import { ROLES, startTroubledNode } from './troubled-node.ts';

/**
 * A local chain with one token that is reorganized at times, three nodes in front of it that fail, of which one lies and one lags, and the variables of a platform
 * that watches it, carries out withdrawals, and collects what cards have spent.
 * @param random uniform in [0, 1)
 */
export const startFaultChain = async (random: () => number) => {
  const { chainId } = DEFAULT_ASSETS.accounts;
  const evm = await startEvm(chainId);
  const token = await deployToken(evm);
  const { treasury, relayer, platform, environment } = await installCollection(evm, token.address);
  await makeFreezable(evm, token.address);
  let calm = true;
  const blocks = await startMovingBlocks({ evm, token, relayer, random, calm: () => calm });
  const nodes = await Promise.all(ROLES.map((role) => startTroubledNode(evm.url, { random, role, calm: () => calm, blocks })));
  const { untilFinal, hasVanished, reorganized } = blocks;
  return {
    evm,
    treasury,
    token: { ...token, pay: (to: Address, amount: bigint) => blocks.together(() => token.pay(to, amount)) },
    /** The platform's owner of Safes. */
    platform,
    /** Sends a transaction from a funded account, which may be reorganized. */
    send: (to: Address, data: Hex) => blocks.together(() => evm.send(to, data)),
    /** Has a signed transaction mined, which may be reorganized. */
    sendRaw: (raw: Hex) => blocks.together(() => evm.rpc<Hex>('eth_sendRawTransaction', [raw])),
    untilFinal,
    hasVanished,
    reorganized,
    /** Lets the chain be reorganized, and the nodes fail, lag and lie, or ends it. */
    trouble: (on: boolean): void => {
      calm = !on;
    },
    /** The actions of the nodes, by kind. */
    troubles: () =>
      nodes.reduce(
        (sum, node) => {
          const { failed, lagged, lied } = node.troubles();
          return { failed: sum.failed + failed, lagged: sum.lagged + lagged, lied: sum.lied + lied };
        },
        { failed: 0, lagged: 0, lied: 0 },
      ),
    close: async (): Promise<void> => {
      await Promise.all(nodes.map((node) => node.close()));
      await blocks.close();
      await evm.close();
    },
    environment: {
      ...onChainEure({ address: token.address, decimals: 2 }),
      ...environment,
      ACCOUNTS_NEED_SAFE: 'true',
      CHAIN_RPC_URLS: JSON.stringify({ [chainId]: nodes.map(({ url }) => url) }),
      CHAIN_POLL_MS: '200',
    },
  };
};

export type FaultChain = Awaited<ReturnType<typeof startFaultChain>>;
