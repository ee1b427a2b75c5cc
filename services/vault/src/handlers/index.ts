import type { ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { cardDataService } from './card-data-service.ts';
import { cardNumberService } from './card-number-service.ts';
import type { Dependencies } from './dependencies.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  cardNumberService(dependencies),
  cardDataService(dependencies),
  servePersonalData(dependencies),
];
