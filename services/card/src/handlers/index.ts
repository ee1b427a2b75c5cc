import { CardService } from '@florin/proto/card/v1/card_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { createVirtualCard } from './create-virtual-card.ts';
import type { Dependencies } from './dependencies.ts';
import { getCard } from './get-card.ts';
import { getCurrentCardholder } from './get-current-cardholder.ts';
import { listCards } from './list-cards.ts';
import { updatePhone } from './update-phone.ts';

/** Implementation of the contract that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(CardService, {
    createVirtualCard: createVirtualCard(dependencies),
    listCards: listCards(dependencies),
    getCard: getCard(dependencies),
    updatePhone: updatePhone(dependencies),
    getCurrentCardholder: getCurrentCardholder(dependencies),
  }),
];
