import { passesLuhn } from '@florin/rpc/observe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCardDataApp } from '../../support/card-data.ts';
import { expectCode } from '../../support/expect-answer.ts';
import { pinsFor } from '../../support/pins.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { createCard, registerPerson } from '../../support/story.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

const newHolder = async () => {
  const person = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, person.token);
  return { person, cardId, app: await createCardDataApp(platform.api, person) };
};

describe('card data', () => {
  it('is shown to the app whose key the wallet signed, and belongs to the card', async () => {
    const { person, cardId, app } = await newHolder();
    const card = await platform.api.as(person.token).cards.getCard({ cardId });
    const details = await app.viewDetails(cardId);
    expect(passesLuhn(details.pan)).toBe(true);
    expect(details).toMatchObject({ expMonth: card.expMonth, expYear: card.expYear, cvv2: expect.stringMatching(/^\d{3}$/) });
    expect(details.pan.slice(-4)).toBe(card.last4);
  });

  it('keeps its number when the card is renewed, and has another one in a replacement', async () => {
    const { person, cardId, app } = await newHolder();
    const before = await app.viewDetails(cardId);
    await platform.api.as(person.token).cards.renewCard({ cardId });
    expect(await app.viewDetails(cardId)).toMatchObject({ pan: before.pan, expYear: before.expYear + 4 });
    await platform.api.as(person.token).cards.reportCardStolen({ cardId });
    const replacement = await platform.api.as(person.token).cards.replaceCard({ cardId });
    expect((await app.viewDetails(replacement.id)).pan).not.toBe(before.pan);
    const query = `action=view-details&thumbprint=${app.thumbprint}`;
    expectCode(
      await platform.api.request('GET', `/pci/cards/${cardId}/challenge?${query}`, { token: person.token }),
      403,
      'CARD_NOT_REVEALABLE',
    );
  });

  it('includes a PIN that the cardholder sets and sees', async () => {
    const { cardId, app } = await newHolder();
    await expect(app.viewPin(cardId)).rejects.toMatchObject({ message: expect.stringContaining('PIN_NOT_SET') });
    const [pin] = pinsFor((await app.viewDetails(cardId)).pan);
    await app.setPin(cardId, pin);
    expect(await app.viewPin(cardId)).toBe(pin);
  });

  it('leaves a trace of each use that the cardholder can read', async () => {
    const { person, cardId, app } = await newHolder();
    const { pan } = await app.viewDetails(cardId);
    await app.setPin(cardId, pinsFor(pan)[0]);
    const { data } = await platform.api.as(person.token).pci.listCardDataAccess();
    expect(data).toMatchObject([
      { action: 'set-pin', cardId, wallet: person.wallet.address, thumbprint: app.thumbprint },
      { action: 'view-details', cardId },
    ]);
  });
});
