import { COLLECTOR, COLLECTOR_ABI } from '@florin/evm/safe';
import { pause } from '@florin/rpc/time';
import { encodeFunctionData } from 'viem';
import { requestExit } from '../../support/request-exit.ts';
import { createCard } from '../../support/story.ts';
import type { Action, FaultNetwork, SentPayment } from '../cards/network.ts';
import { accountOf, newSaver, ownershipOf, type Saver, type Surroundings, withdraw } from '../chain/person.ts';
import type { Books } from './open-books.ts';

/** A person with a Safe and a card. */
export type Payer = Saver & {
  accountId: string;
  cardId: string;
  /** Approved payments of which nothing was cleared yet. */
  held: { payment: SentPayment; amount: number }[];
  /** Cleared less refunded, in cents. */
  spent: number;
  /** The person has asked to leave, or changed what may be collected: the account is blocked sooner or later. */
  isEstranged: boolean;
};

export type Spending = Surroundings & { network: FaultNetwork; books: Books };

/** The longest time in which the platform may act between a request to leave and its execution, on this chain a day later. */
const COOLDOWN_MS = 15_000;

export const newPayer = async (surroundings: Surroundings): Promise<Payer> => {
  const saver = await newSaver(surroundings);
  const { token } = saver.person;
  const { id: accountId } = await accountOf(surroundings, token);
  return { ...saver, accountId, cardId: await createCard(surroundings.api, token), held: [], spent: 0, isEstranged: false };
};

/** Sends a clearing or refund, whose settlement record the network sends now, or later with all others. */
const settle = async ({ network, books, random }: Spending, payer: Payer, payment: SentPayment, action: Action, amount: number) => {
  await network.send(payment, action, amount);
  const signed = action === 'refund' ? -amount : amount;
  payer.spent += signed;
  const { eventId = '' } = payment.events.at(-1) ?? {};
  const record = books.record(payment.transactionId, eventId, signed);
  if (random() < 0.7) await books.importRecords([record]);
};

const pay = async (spending: Spending, payer: Payer): Promise<void> => {
  const { network, random } = spending;
  const [open] = payer.held;
  if (open !== undefined && random() < 0.5) {
    payer.held.shift();
    return settle(spending, payer, open.payment, 'clear', open.amount);
  }
  const payment = network.newPayment(payer.cardId);
  const amount = 2 + Math.floor(random() * 60);
  if (!(await network.send(payment, 'authorize', amount))) return;
  const story = random();
  if (story < 0.15) payer.held.push({ payment, amount });
  else if (story < 0.25) await network.send(payment, 'reverse', 0);
  else if (story < 0.4) {
    const part = 1 + Math.floor(random() * (amount - 1));
    await settle(spending, payer, payment, 'clearPart', part);
    await settle(spending, payer, payment, 'clear', amount - part);
  } else {
    await settle(spending, payer, payment, 'clear', amount);
    if (story > 0.7) await settle(spending, payer, payment, 'refund', 1 + Math.floor(random() * amount));
  }
};

/** Asks to take half of what the Safe holds, and does once the cooldown is over, unless the platform was faster. */
const leave = async (spending: Spending, payer: Payer): Promise<void> => {
  const { chain, random } = spending;
  const { evm, token } = chain;
  const amount = (await token.balanceOf(payer.safe)) / 2n;
  const take = await chain.untilFinal(() => requestExit(evm, ownershipOf(payer), { token: token.address, amount }));
  await pause(random() * COOLDOWN_MS);
  const txHash = await chain.untilFinal(() => take()).catch(() => undefined);
  if (txHash !== undefined) payer.exit = { txHash, amount };
};

/** Changes what may be collected, as both owners of the Safe together could. */
const changeAllowance = async ({ chain: { evm, token, treasury, untilFinal }, random }: Spending, { safe }: Payer): Promise<void> => {
  const limit = BigInt(Math.floor(random() * 100));
  const data = encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'setLimit', args: [treasury, token.address, limit] });
  await untilFinal(async () => {
    await evm.rpc('hardhat_setBalance', [safe, '0xde0b6b3a7640000']);
    await evm.rpc('hardhat_impersonateAccount', [safe]);
    await evm.rpc('eth_sendTransaction', [{ from: safe, to: COLLECTOR.address, data, gas: '0x30d40' }]);
    await evm.rpc('hardhat_stopImpersonatingAccount', [safe]);
  });
};

/** The end of a payer: the money leaves, or less may be collected, or neither. */
const ESTRANGEMENTS = [leave, changeAllowance, undefined] as const;

/**
 * Is paid, pays by card and withdraws, until it is over. In between, once `estranged` says so, the payer leaves, or changes what may be collected, by turns.
 * @param done called after each step
 */
export const spendOnAndOn = async (
  spending: Spending,
  payer: Payer,
  { index, over, estranged, done }: { index: number; over: () => boolean; estranged: () => boolean; done: () => void },
): Promise<void> => {
  const { chain, random } = spending;
  const estrange = ESTRANGEMENTS[index % ESTRANGEMENTS.length];
  while (!over() || (estranged() && estrange !== undefined && !payer.isEstranged)) {
    const chance = random();
    if (estranged() && estrange !== undefined && !payer.isEstranged) {
      payer.isEstranged = true;
      await estrange(spending, payer);
    } else if (chance < 0.15) payer.deposits.push(await chain.token.pay(payer.safe, 1n + BigInt(Math.floor(random() * 200))));
    else if (chance < 0.3 && !payer.isEstranged) await withdraw(spending, payer);
    else await pay(spending, payer);
    done();
  }
};
