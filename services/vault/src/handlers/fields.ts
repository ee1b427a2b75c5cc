import { CardDataAction as Wire } from '@florin/proto/vault/v1/card_data_service';
import { createWords, stated } from '@florin/rpc/contract';
import type { CardDataAction } from '../domain/card-data-text.ts';

const ACTIONS = createWords(Wire);

export const actionToWire = (action: CardDataAction | 'seal'): Wire => ACTIONS.toValue(action === 'seal' ? undefined : action);

/** An action that the contract requires. */
export const toAction = (wire: Wire): CardDataAction => stated(ACTIONS.toWord(wire));
