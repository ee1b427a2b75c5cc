import { InstanceService } from '@florin/proto/ledger/v1/instance_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { accountService } from './account-service.ts';
import { adjustmentService } from './adjustment-service.ts';
import { balanceService } from './balance-service.ts';
import type { Dependencies } from './dependencies.ts';
import { entryService } from './entry-service.ts';
import { holdService } from './hold-service.ts';
import { listHeads } from './list-heads.ts';
import { listStatement } from './list-statement.ts';
import { movementService } from './movement-service.ts';
import { proveInstance } from './prove-instance.ts';
import { createSnapshot, getCurrentLiability, listLiabilities, signReserves } from './sign-reserves.ts';

/** The contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  accountService(dependencies),
  adjustmentService(dependencies),
  balanceService(dependencies),
  entryService(dependencies),
  holdService(dependencies),
  movementService(dependencies),
  implement(StatementService, { listStatement: listStatement(dependencies) }),
  implement(InstanceService, { proveInstance: proveInstance(dependencies) }),
  implement(JournalService, {
    listHeads: listHeads(dependencies),
    createSnapshot: createSnapshot(dependencies),
    listLiabilities: listLiabilities(dependencies),
    signReserves: signReserves(dependencies),
    getCurrentLiability: getCurrentLiability(dependencies),
  }),
  servePersonalData(dependencies),
];
