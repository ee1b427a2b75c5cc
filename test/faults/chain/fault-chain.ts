import { deployToken } from '@florin/evm/local-chain/deploy-token';
import { startEvm } from '@florin/evm/local-chain/start-evm';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import type { Address } from 'viem';
import { installCollection } from '../../support/evm-collection.ts';
import { onChainEure } from '../../support/on-chain-eure.ts';
import { startMovingBlocks } from './moving-blocks.ts';
import { startTroubledNode } from './troubled-node.ts';

/**
 * A local chain with one token that is reorganized at times, two nodes in front of it that fail and lag, of which one lies, and the variables of a platform that
 * watches it, carries out withdrawals, and collects what cards have spent.
 * @param random uniform in [0, 1)
 */
export const startFaultChain = async (random: () => number) => {
  const { chainId } = DEFAULT_ASSETS.accounts;
  const evm = await startEvm(chainId);
  const token = await deployToken(evm);
  const { treasury, relayer, environment } = await installCollection(evm, token.address);
  let calm = true;
  const blocks = await startMovingBlocks({ evm, token, relayer, random, calm: () => calm });
  const nodes = await Promise.all([true, false].map((liar) => startTroubledNode(evm.url, { random, liar, calm: () => calm, blocks })));
  const { untilFinal, hasVanished, reorganized } = blocks;
  return {
    evm,
    treasury,
    token: { ...token, pay: (to: Address, amount: bigint) => blocks.together(() => token.pay(to, amount)) },
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
