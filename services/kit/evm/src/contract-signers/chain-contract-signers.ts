import { askContract, type ChainNodes } from '../chain/index.ts';
import type { ContractSigners } from './contract-signers.ts';

/** Verifies contract signatures through JSON-RPC nodes. */
export const createChainContractSigners = (nodes: ChainNodes): ContractSigners => ({
  serves: nodes.serves,

  findAccepted: ({ chainId, contract, signature }, digests) =>
    nodes.atNewestBlock(chainId, async (chain) => {
      // All or nothing: if the node fails on one digest, none of its results count.
      const accepted = await Promise.all(digests.map((digest) => askContract(chain, contract, digest, signature)));
      const digest = digests[accepted.indexOf(true)];
      return digest === undefined ? undefined : { digest, blockNumber: chain.blockNumber };
    }),

  acceptedAt: ({ chainId, contract, signature }, digest, blockNumber) =>
    nodes.atBlock(chainId, blockNumber, (chain) => askContract(chain, contract, digest, signature)),
});
