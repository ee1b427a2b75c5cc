import { contractSignature } from '@florin/evm/signatures';
import type { AskContractRequest } from '@florin/proto/identity/v1/wallet_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { type Address, getAddress, type Hex } from 'viem';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';

const MAX_DIGESTS = 20;
const MAX_SIGNATURE_BYTES = 4096;

const requestSchema = z.object({
  chainId: z.bigint().min(1n).max(9_999_999_999n).transform(Number),
  contract: addressSchema.transform((text): Address => getAddress(text.toLowerCase())),
  signature: z
    .string()
    .refine((text) => contractSignature(text, MAX_SIGNATURE_BYTES) !== undefined, 'must be 0x hex of at most 4096 bytes'),
  digests: z
    .array(z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits'))
    .min(1)
    .max(MAX_DIGESTS),
});

/** @throws CodedError SERVICE_UNAVAILABLE, VALIDATION_FAILED */
export const askContract = ({ contracts }: Dependencies) =>
  userMethod(async (request: AskContractRequest) => {
    const { chainId, contract, signature, digests } = parseRequest(requestSchema, request);
    if (!contracts.serves(chainId)) return {};
    const accepted = await contracts.findAccepted({ chainId, contract, signature: signature as Hex }, digests as Hex[]);
    return accepted === undefined ? {} : { digest: accepted.digest, blockNumber: BigInt(accepted.blockNumber) };
  });
