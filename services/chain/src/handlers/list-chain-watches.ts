import type { ListChainWatchesRequest } from '@florin/proto/chain/v1/watch_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireWatch } from './to-wire.ts';

/** How the watching of each chain goes. */
export const listChainWatches = ({ watches }: Dependencies) =>
  serviceMethod((_request: ListChainWatchesRequest) => ({
    watches: watches
      .map(({ status }) => status())
      .sort((a, b) => a.chainId - b.chainId)
      .map(toWireWatch),
  }));
