import assert from 'node:assert/strict';
import type { Client } from '@florin/client';
import { reveal, setPin } from '@florin/client/viem';
import { pinsFor } from '../support/pins.ts';
import type { Wallet } from '../support/story.ts';
import type { Story } from './play-story.ts';

/** The cardholder sees the card's number, sets a PIN, and looks at who saw what. Nothing between the app and the vault can read it. */
export const showCard = async (client: Client, wallet: Wallet, cardId: string, { chapter, step }: Story): Promise<void> => {
  chapter('Card data');
  const { pan, expMonth, expYear, cvv2 } = await reveal(client, wallet, { cardId, action: 'view-details' });
  const number = pan.replace(/(\d{4})(?=\d)/g, '$1 ');
  step('Show the card to a key that the wallet signed for', `${number}, ${expMonth}/${expYear}, ${cvv2}`);

  const [chosen] = pinsFor(pan);
  await setPin(client, wallet, { cardId, pin: chosen });
  const { pin } = await reveal(client, wallet, { cardId, action: 'view-pin' });
  assert.equal(pin, chosen);
  step('Set a PIN and show it', pin);

  const actions = await Array.fromAsync(client.pci.listCardDataAccess(), ({ action }) => action);
  assert.deepEqual(actions, ['view-pin', 'set-pin', 'view-details']);
  step('Look at the access log', actions.join(', '));
};
