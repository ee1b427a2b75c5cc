import { ArrivingService } from '@florin/proto/chain/v1/arriving_service';
import { ReconciliationService } from '@florin/proto/chain/v1/reconciliation_service';
import { ReservesService } from '@florin/proto/chain/v1/reserves_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { getCurrentReserves, getReserves } from './get-reserves.ts';
import { listArriving } from './list-arriving.ts';
import { reconcileBalances } from './reconcile-balances.ts';
import { recoveryService } from './recovery-service.ts';
import { safeService } from './safe-service.ts';
import { watchService } from './watch-service.ts';
import { withdrawalService } from './withdrawal-service.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  watchService(dependencies),
  safeService(dependencies),
  withdrawalService(dependencies),
  recoveryService(dependencies),
  implement(ReconciliationService, { reconcileBalances: reconcileBalances(dependencies) }),
  implement(ArrivingService, { listArriving: listArriving(dependencies) }),
  implement(ReservesService, { getReserves: getReserves(dependencies), getCurrentReserves: getCurrentReserves(dependencies) }),
];
