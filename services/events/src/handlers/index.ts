import type { ServiceImplementation } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { feedService } from './feed-service.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [feedService(dependencies)];
