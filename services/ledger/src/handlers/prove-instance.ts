import type { ProveInstanceRequest } from '@florin/proto/ledger/v1/instance_service';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Shows that this process is an instance of the ledger. */
export const proveInstance = ({ shards }: Dependencies) =>
  publicMethod(async ({ nonce }: ProveInstanceRequest) => ({ signature: await shards.prove(nonce) }));
