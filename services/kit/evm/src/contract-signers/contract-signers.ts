import type { Address, Hex } from 'viem';

export type ContractQuestion = { chainId: number; contract: Address; signature: Hex };

/** Port to the chains on which contracts verify signatures (EIP-1271). */
export type ContractSigners = {
  /** Reports whether a node of this chain is configured. */
  serves: (chainId: number) => boolean;
  /**
   * The first of the digests for which the contract accepts the signature. All are checked at one block: the newest at the start.
   * @returns undefined when the contract accepts none of them, misbehaves, or has no code
   * @throws CodedError SERVICE_UNAVAILABLE when the node is unreachable, slow, faulty, behind, or of another chain
   */
  findAccepted: (question: ContractQuestion, digests: readonly Hex[]) => Promise<{ digest: Hex; blockNumber: number } | undefined>;
  /**
   * Reports whether the contract accepted the signature over one digest at a past block. The node must still have that block's state.
   * @throws CodedError SERVICE_UNAVAILABLE
   */
  acceptedAt: (question: ContractQuestion, digest: Hex, blockNumber: number) => Promise<boolean>;
};
