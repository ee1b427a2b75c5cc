import { contractSignature } from '@florin/evm/signatures';
import type { AskContractRequest } from '@florin/proto/identity/v1/wallet_service';
import { requireFields } from '@florin/rpc/contract';
import { userMethod } from '@florin/rpc/server';
import { getAddress, type Hex } from 'viem';
import type { Dependencies } from './dependencies.ts';

const MAX_SIGNATURE_BYTES = 4096;

export const askContract = ({ contracts }: Dependencies) =>
  userMethod(async (request: AskContractRequest) => {
    const { signature, digests } = request;
    const [chainId, contract] = [Number(request.chainId), getAddress(request.contract.toLowerCase())];
    const isSignature = contractSignature(signature, MAX_SIGNATURE_BYTES) !== undefined;
    requireFields({ signature: isSignature ? undefined : `must be 0x hex of at most ${MAX_SIGNATURE_BYTES} bytes` });
    if (!contracts.serves(chainId)) return {};
    const accepted = await contracts.findAccepted({ chainId, contract, signature: signature as Hex }, digests as Hex[]);
    return accepted === undefined ? {} : { digest: accepted.digest, blockNumber: BigInt(accepted.blockNumber) };
  });
