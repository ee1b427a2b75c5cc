import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { closeException } from './close-exception.ts';
import type { Dependencies } from './dependencies.ts';
import { listChainWatches } from './list-chain-watches.ts';
import { listExceptions } from './list-exceptions.ts';
import { retryException } from './retry-exception.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(WatchService, {
    listChainWatches: listChainWatches(dependencies),
    listExceptions: listExceptions(dependencies),
    retryException: retryException(dependencies),
    closeException: closeException(dependencies),
  }),
];
