import { connectCardNetwork } from '../support/card-network.ts';
import type { PlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, newEmail, newPhone, raiseChallenge, registerPerson, untilDone } from '../support/story.ts';

/** `token` is a session's, `paymentName` what the processor calls the payment, `txHash` the transaction of the deposit. */
export type MadePerson = {
  userId: string;
  email: string;
  accountId: string;
  token: string;
  cardId: string;
  paymentId: string;
  paymentName: string;
  txHash: string;
};

const makeOnce = async ({ api, urls, operatorKey }: PlatformInProcess): Promise<MadePerson> => {
  const email = newEmail();
  const person = await registerPerson(api, undefined, { email });
  const { token } = person;
  const cardId = await createCard(api, token, { cardName: 'Everyday', phone: newPhone() });
  await api.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: `100${'0'.repeat(18)}` } });
  await decide(api, person, await raiseChallenge(api, token, cardId), 'approve');
  const network = connectCardNetwork(urls['CARD_URL'] ?? '', operatorKey);
  const payment = network.payment(cardId);
  let paymentId: string;
  try {
    ({ paymentId } = await payment.authorize(1250));
    await payment.clear(1250);
  } finally {
    await network.close();
  }
  const { id: accountId } = await api.call<{ id: string }>('GET', '/user/account', { token });
  const { data } = await api.as(token).userMovements.listDeposits();
  const found = { paymentId, paymentName: payment.transactionId, txHash: data[0]?.txHash ?? '' };
  return { userId: person.userId, email, accountId, token, cardId, ...found };
};

/** Somebody with 100 euros, a card, an approval that was signed, and a payment of 12.50 euros. */
export const makePerson = (platform: PlatformInProcess): Promise<MadePerson> => untilDone(() => makeOnce(platform));
