import assert from 'node:assert/strict';
import type { ApiClient } from '../support/api-client.ts';
import { createCardDataApp } from '../support/card-data.ts';
import type { Person } from '../support/story.ts';
import type { Story } from './play-story.ts';

const PIN = '8302';

/** The cardholder sees the card's number, sets a PIN, and looks at who saw what. Nothing between the app and the vault can read it. */
export const showCard = async (api: ApiClient, person: Person, cardId: string, { chapter, step }: Story): Promise<void> => {
  chapter('Card data');
  const app = await createCardDataApp(api, person);
  const { pan, expMonth, expYear, cvv2 } = await app.viewDetails(cardId);
  const number = pan.replace(/(\d{4})(?=\d)/g, '$1 ');
  step('Show the card to a key that the wallet signed for', `${number}, ${expMonth}/${expYear}, ${cvv2}`);

  await app.setPin(cardId, PIN);
  assert.equal(await app.viewPin(cardId), PIN);
  step('Set a PIN and show it', PIN);

  const { data } = await api.call<{ data: { action: string }[] }>('GET', '/pci/access-log', { token: person.token });
  const actions = data.map(({ action }) => action);
  assert.deepEqual(actions, ['view-pin', 'set-pin', 'view-details']);
  step('Look at the access log', actions.join(', '));
};
