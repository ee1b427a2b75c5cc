import { CardDataService } from '@florin/proto/vault/v1/card_data_service';
import { CardNumberService } from '@florin/proto/vault/v1/card_number_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { checkCard } from './check-card.ts';
import { createCardDataChallenge } from './create-card-data-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { findCard } from './find-card.ts';
import { getKeyUsage } from './get-key-usage.ts';
import { issueCardNumber } from './issue-card-number.ts';
import { listCardDataAccess } from './list-card-data-access.ts';
import { listVaultKeys } from './list-vault-keys.ts';
import { renewCardNumber } from './renew-card-number.ts';
import { revealCardData } from './reveal-card-data.ts';
import { sealCardNumber } from './seal-card-number.ts';
import { setPin } from './set-pin.ts';
import { unblockPin } from './unblock-pin.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(CardNumberService, {
    issueCardNumber: issueCardNumber(dependencies),
    renewCardNumber: renewCardNumber(dependencies),
    sealCardNumber: sealCardNumber(dependencies),
    findCard: findCard(dependencies),
    checkCard: checkCard(dependencies),
    unblockPin: unblockPin(dependencies),
    getKeyUsage: getKeyUsage(dependencies),
  }),
  implement(CardDataService, {
    listVaultKeys: listVaultKeys(dependencies),
    createCardDataChallenge: createCardDataChallenge(dependencies),
    revealCardData: revealCardData(dependencies),
    setPin: setPin(dependencies),
    listCardDataAccess: listCardDataAccess(dependencies),
  }),
  servePersonalData(dependencies),
];
