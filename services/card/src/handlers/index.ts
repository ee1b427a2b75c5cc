import { SandboxService } from '@florin/proto/card/v1/sandbox_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { advanceClock } from './advance-clock.ts';
import { cardService } from './card-service.ts';
import type { Dependencies } from './dependencies.ts';
import { exceptionService } from './exception-service.ts';
import { paymentService } from './payment-service.ts';
import { processorService } from './processor-service.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  cardService(dependencies),
  paymentService(dependencies),
  exceptionService(dependencies),
  processorService(dependencies),
  ...(dependencies.sandbox ? [implement(SandboxService, { advanceClock: advanceClock(dependencies) })] : []),
  servePersonalData(dependencies),
];
