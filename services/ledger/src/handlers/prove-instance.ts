import type { ProveInstanceRequest } from '@florin/proto/ledger/v1/instance_service';
import { parseRequest, publicMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const NONCE_BYTES = 32;

const requestSchema = z.object({
  nonce: z.instanceof(Uint8Array).refine(({ length }) => length === NONCE_BYTES, 'must have 32 bytes'),
});

/**
 * Shows that this process is an instance of the ledger.
 * @throws CodedError VALIDATION_FAILED
 */
export const proveInstance = ({ shards }: Dependencies) =>
  publicMethod(async (request: ProveInstanceRequest) => {
    const { nonce } = parseRequest(requestSchema, request);
    return { signature: await shards.prove(nonce) };
  });
