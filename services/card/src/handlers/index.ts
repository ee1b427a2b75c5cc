import { CardService } from '@florin/proto/card/v1/card_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { cancelCard } from './cancel-card.ts';
import { createVirtualCard } from './create-virtual-card.ts';
import type { Dependencies } from './dependencies.ts';
import { freezeCard } from './freeze-card.ts';
import { getCard } from './get-card.ts';
import { getCurrentCardholder } from './get-current-cardholder.ts';
import { listCards } from './list-cards.ts';
import { renameCard } from './rename-card.ts';
import { renewCard } from './renew-card.ts';
import { replaceCard } from './replace-card.ts';
import { reportCardLost } from './report-card-lost.ts';
import { reportCardStolen } from './report-card-stolen.ts';
import { unfreezeCard } from './unfreeze-card.ts';
import { updatePhone } from './update-phone.ts';

/** Implementation of the contract that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(CardService, {
    createVirtualCard: createVirtualCard(dependencies),
    listCards: listCards(dependencies),
    getCard: getCard(dependencies),
    freezeCard: freezeCard(dependencies),
    unfreezeCard: unfreezeCard(dependencies),
    reportCardLost: reportCardLost(dependencies),
    reportCardStolen: reportCardStolen(dependencies),
    cancelCard: cancelCard(dependencies),
    renameCard: renameCard(dependencies),
    replaceCard: replaceCard(dependencies),
    renewCard: renewCard(dependencies),
    updatePhone: updatePhone(dependencies),
    getCurrentCardholder: getCurrentCardholder(dependencies),
  }),
  servePersonalData(dependencies),
];
