import type { ContractSigners } from '@florin/evm/contract-signers';
import { WalletService } from '@florin/proto/identity/v1/wallet_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';

/** Identity asks two nodes, within a time limit of its own. */
const TIMEOUT_MS = 3000;

/** Asks identity which texts contracts have signed: the vault itself reaches no node. */
export type ContractsClient = {
  /** The contracts, asked on behalf of the user who owns the token. */
  onBehalfOf: (call: { token: string; requestId: string }) => Pick<ContractSigners, 'serves' | 'findAccepted'>;
};

export const createContractsClient = (channel: RpcChannel): ContractsClient => {
  const client = channel.client(WalletService);
  return {
    onBehalfOf: (call) => ({
      // Only identity knows which chains have nodes.
      serves: () => true,
      findAccepted: async ({ chainId, contract, signature }, digests) => {
        const question = { chainId: BigInt(chainId), contract, signature, digests: [...digests] };
        const response = client.askContract(question, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
        const { digest, blockNumber } = await response;
        const accepted = digests.find((one) => one === digest);
        return accepted === undefined ? undefined : { digest: accepted, blockNumber: Number(blockNumber) };
      },
    }),
  };
};
