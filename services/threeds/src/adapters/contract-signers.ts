import { askContract, type ChainNodes } from '@florin/evm/chain';
import type { Address, Hex } from 'viem';

export type ContractQuestion = { chainId: number; contract: Address; signature: Hex };

/** Asks contracts whether they accept a signature (EIP-1271). */
export type ContractSigners = {
  /** Whether there is a node of this chain to ask. */
  serves: (chainId: number) => boolean;
  /**
   * Which of some digests the contract accepts the signature for, all asked at one block: the newest when the check began.
   * @returns undefined when it accepts none, whatever it does instead, or has no code
   * @throws CodedError SERVICE_UNAVAILABLE when the node is away, slow, wrong, behind or of another chain: never a yes, never a no
   */
  findAccepted: (question: ContractQuestion, digests: readonly Hex[]) => Promise<{ digest: Hex; blockNumber: number } | undefined>;
  /**
   * The same for one digest at a block of the past; the node must still have its state.
   * @throws CodedError SERVICE_UNAVAILABLE
   */
  acceptedAt: (question: ContractQuestion, digest: Hex, blockNumber: number) => Promise<boolean>;
};

export const createContractSigners = (nodes: ChainNodes): ContractSigners => ({
  serves: nodes.serves,

  findAccepted: ({ chainId, contract, signature }, digests) =>
    nodes.atNewestBlock(chainId, async (chain) => {
      // All or nothing: of a node that fails on one of them nothing is believed.
      const accepted = await Promise.all(digests.map((digest) => askContract(chain, contract, digest, signature)));
      const digest = digests[accepted.indexOf(true)];
      return digest === undefined ? undefined : { digest, blockNumber: chain.blockNumber };
    }),

  acceptedAt: ({ chainId, contract, signature }, digest, blockNumber) =>
    nodes.atBlock(chainId, blockNumber, (chain) => askContract(chain, contract, digest, signature)),
});
