import type { CardNetwork } from './card-network.ts';
import type { PlatformInProcess } from './platform-in-process.ts';
import { createCard, registerPerson } from './story.ts';

/** A person with a card and a balance, in euro cents. */
export const createCardHolder = async (platform: PlatformInProcess, network: CardNetwork, cents: number) => {
  const { token } = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, token);
  if (cents > 0) {
    const amount = `${BigInt(cents) * 10n ** 16n}`;
    await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount });
  }
  /** The spendable and the held amount. */
  const balance = async () => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    const row = data.find(({ currency }) => currency === 'EUR');
    return [Number(row?.spendable), Number(row?.nonSpendable)];
  };
  return { token, cardId, balance, payment: () => network.payment(cardId) };
};

export type CardHolder = Awaited<ReturnType<typeof createCardHolder>>;
