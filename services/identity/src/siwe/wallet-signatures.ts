import { askContract, type ChainNodes, type PinnedChain } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { contractSignature } from '@florin/evm/signatures';
import { type Address, hashMessage } from 'viem';
import { isSignedBy } from '../domain/eoa-signature.ts';
import {
  acceptedByUndeployed,
  UNDEPLOYED_GAS,
  type UndeployedSignature,
  undeployedSignatureCall,
  unwrapUndeployed,
} from '../domain/undeployed-signature.ts';

/** With what deploys it, a wallet's signature may be as long as REST takes. */
const MAX_BYTES = 4096;

/**
 * Whether a wallet signed a text as a personal message (EIP-191): the key of a plain account, or else, where there is a node of the
 * chain, a smart wallet: deployed (EIP-1271) or not yet (EIP-6492). A plain account's good signature never needs the node.
 * Of everything else than a clear yes the answer is false.
 * @throws CodedError SERVICE_UNAVAILABLE when the node cannot be asked: never a yes, never a no
 */
export type WalletSignatures = (wallet: Address, text: string, signature: string) => Promise<boolean>;

/** Who stands already is asked as it stands: no call that anybody chose comes before the question. */
const askDeployedOrNot = async (
  chain: PinnedChain,
  wallet: Address,
  digest: Hex,
  signature: Hex,
  undeployed: UndeployedSignature | undefined,
): Promise<boolean> => {
  if (undeployed === undefined) return askContract(chain, wallet, digest, signature);
  if ((await chain.codeAt(wallet)) !== '0x') return askContract(chain, wallet, digest, undeployed.signature);
  return acceptedByUndeployed(await chain.run(undeployedSignatureCall(wallet, digest, undeployed), UNDEPLOYED_GAS));
};

export const createWalletSignatures =
  (nodes: ChainNodes, chainId: number): WalletSignatures =>
  async (wallet, text, signature) => {
    if (await isSignedBy(wallet, text, signature)) return true;
    const candidate = contractSignature(signature, MAX_BYTES);
    if (candidate === undefined || !nodes.serves(chainId)) return false;
    const undeployed = unwrapUndeployed(candidate);
    if (undeployed === 'malformed') return false;
    if (undeployed !== undefined && contractSignature(undeployed.signature, MAX_BYTES) === undefined) return false;
    return nodes.atNewestBlock(chainId, (chain) => askDeployedOrNot(chain, wallet, hashMessage(text), candidate, undeployed));
  };
