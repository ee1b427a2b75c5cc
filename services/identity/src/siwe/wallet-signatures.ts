import { askContract, type ChainNodes, type PinnedChain } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { contractSignature } from '@florin/evm/signatures';
import type { Address } from 'viem';
import { isSignedBy } from '../domain/eoa-signature.ts';
import {
  acceptedByUndeployed,
  UNDEPLOYED_GAS,
  type UndeployedSignature,
  undeployedSignatureCall,
  unwrapUndeployed,
} from '../domain/undeployed-signature.ts';

/** Largest signature of a contract wallet, including the data that deploys it; the limit of the REST interface. */
const MAX_BYTES = 4096;

/**
 * True if a wallet signed a digest, an EIP-191 or EIP-712 hash: the key of a plain account or, where a node of the chain is
 * configured, a smart wallet, deployed (EIP-1271) or not (EIP-6492). A valid signature of a plain account never needs the node. Every
 * result of a contract but a clear acceptance counts as a rejection.
 * @throws CodedError SERVICE_UNAVAILABLE when the node cannot be asked
 */
export type WalletSignatures = (wallet: Address, digest: Hex, signature: string) => Promise<boolean>;

/** A deployed wallet is asked directly, so that no call chosen by the signer runs before the verification. */
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
  async (wallet, digest, signature) => {
    if (await isSignedBy(wallet, digest, signature)) return true;
    const candidate = contractSignature(signature, MAX_BYTES);
    if (candidate === undefined || !nodes.serves(chainId)) return false;
    const undeployed = unwrapUndeployed(candidate);
    if (undeployed === 'malformed') return false;
    if (undeployed !== undefined && contractSignature(undeployed.signature, MAX_BYTES) === undefined) return false;
    return nodes.atNewestBlock(chainId, (chain) => askDeployedOrNot(chain, wallet, digest, candidate, undeployed));
  };
