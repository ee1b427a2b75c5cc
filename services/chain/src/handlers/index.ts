import { ArrivingService } from '@florin/proto/chain/v1/arriving_service';
import { ReconciliationService } from '@florin/proto/chain/v1/reconciliation_service';
import { ReservesService } from '@florin/proto/chain/v1/reserves_service';
import { SafeService } from '@florin/proto/chain/v1/safe_service';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { WithdrawalService } from '@florin/proto/chain/v1/withdrawal_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { closeException } from './close-exception.ts';
import { createSetUpChallenge } from './create-set-up-challenge.ts';
import { createWithdrawalChallenge } from './create-withdrawal-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { getCurrentSafe } from './get-current-safe.ts';
import { getCurrentReserves, getReserves } from './get-reserves.ts';
import { listArriving } from './list-arriving.ts';
import { listChainWatches } from './list-chain-watches.ts';
import { listCollectionAllowances } from './list-collection-allowances.ts';
import { listExceptions } from './list-exceptions.ts';
import { listWithdrawalAllowances } from './list-withdrawal-allowances.ts';
import { reconcileBalances } from './reconcile-balances.ts';
import { resolveHalt } from './resolve-halt.ts';
import { retryException } from './retry-exception.ts';
import { submitSetUp } from './submit-set-up.ts';
import { submitWithdrawal } from './submit-withdrawal.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(WatchService, {
    listChainWatches: listChainWatches(dependencies),
    listExceptions: listExceptions(dependencies),
    retryException: retryException(dependencies),
    closeException: closeException(dependencies),
    resolveHalt: resolveHalt(dependencies),
  }),
  implement(SafeService, {
    getCurrentSafe: getCurrentSafe(dependencies),
    createSetUpChallenge: createSetUpChallenge(dependencies),
    submitSetUp: submitSetUp(dependencies),
    listCollectionAllowances: listCollectionAllowances(dependencies),
  }),
  implement(WithdrawalService, {
    createWithdrawalChallenge: createWithdrawalChallenge(dependencies),
    submitWithdrawal: submitWithdrawal(dependencies),
    listWithdrawalAllowances: listWithdrawalAllowances(dependencies),
  }),
  implement(ReconciliationService, { reconcileBalances: reconcileBalances(dependencies) }),
  implement(ArrivingService, { listArriving: listArriving(dependencies) }),
  implement(ReservesService, { getReserves: getReserves(dependencies), getCurrentReserves: getCurrentReserves(dependencies) }),
];
