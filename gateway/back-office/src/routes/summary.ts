import { CardActor } from '@florin/proto/card/v1/card';
import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { withinRequest } from '@florin/rpc/client';
import { operatorIdOf } from '../audit/recorder.ts';
import type { Summary } from '../contract/index.ts';
import { toDispute, toPayment } from '../views/card.ts';
import { toChallenge } from '../views/challenge.ts';
import { toDeposit, toWithdrawal } from '../views/money.ts';
import { toSession } from '../views/person.ts';
import { isoOf } from '../views/words.ts';
import type { Dependencies } from './dependencies.ts';
import { createParts } from './overview-parts.ts';
import type { PersonRead } from './read-person.ts';

/** Rows of each list. */
const LIMIT = 50;

type Happened = Summary['timeline'][number];

/** The facts that a caller asks about, from several services. The latest of each list are enough for the latest of all. */
export const readSummary = async (
  { services, operators }: Pick<Dependencies, 'services' | 'operators'>,
  call: PersonRead,
): Promise<Summary> => {
  const { userId } = call;
  const options = withinRequest(call);
  const page = { limit: LIMIT, cursor: '' };
  const { part, unavailable } = createParts();
  const [paid, pending, disputed, asked, arrived, left, held, opened] = await Promise.all([
    part('payments', services.payments.listPayments({ userId, page }, options)),
    part('holds', services.payments.listPayments({ userId, status: PaymentStatus.PENDING, page }, options)),
    part('disputes', services.payments.listPayments({ userId, disputed: true, page }, options)),
    part('challenges', services.challenges.listChallenges({ userId, page }, options)),
    part('deposits', services.movements.listDeposits({ userId, page }, options)),
    part('withdrawals', services.movements.listWithdrawals({ userId, page }, options)),
    part('cards', services.cards.listCards({ userId, page }, options)),
    part('sessions', services.sessions.listUserSessions({ userId, page }, options)),
  ]);

  const changes = (held?.cards ?? []).flatMap((card) => card.history.toReversed().map((change) => ({ ...change, card })));
  const names = await operators.names(changes.map(({ actorId }) => operatorIdOf(actorId)));
  const disputes = (disputed?.payments ?? []).flatMap((payment) => {
    if (payment.dispute === undefined) return [];
    const { id: paymentId, merchant, decimals, currency } = payment;
    return [{ ...toDispute(payment.dispute), paymentId, merchant: merchant?.name ?? '', decimals, currency }];
  });
  const happened: Happened[] = [
    ...(paid?.payments ?? []).map(toPayment).map(
      ({ id, createdAt: at, status, merchant, amount, isCredit, declineReason }): Happened => ({
        ...{ kind: 'payment', id, at, status, about: merchant.name },
        ...(declineReason === undefined ? {} : { decline: declineReason.code }),
        amount: isCredit ? amount : { ...amount, amount: String(-BigInt(amount.amount)) },
      }),
    ),
    ...disputes.flatMap(({ paymentId: id, openedAt: at, status, merchant: about, amount, decimals, currency }): Happened[] =>
      at === undefined ? [] : [{ kind: 'dispute', id, at, status, about, amount: { amount, decimals, currency } }],
    ),
    ...(asked?.challenges ?? []).map(toChallenge).map(
      ({ id, createdAt: at, status, merchant, amount }): Happened => ({
        ...{ kind: 'challenge', id, at, status, about: merchant.name },
        ...(amount === undefined ? {} : { amount }),
      }),
    ),
    ...(arrived?.deposits ?? [])
      .map((one) => toDeposit(one, names))
      .map(({ id, createdAt: at, status, amount }): Happened => ({ kind: 'deposit', id, at, status, about: '', amount })),
    ...(left?.withdrawals ?? []).map(toWithdrawal).map(
      ({ id, createdAt: at, status, amount }): Happened => ({
        ...{ kind: 'withdrawal', id, at, status, about: '' },
        amount: { ...amount, amount: String(-BigInt(amount.amount)) },
      }),
    ),
    ...changes.map(
      ({ card: { id, last4 }, at, action: status, actor, actorId }): Happened => ({
        ...{ kind: 'card', id, at: isoOf(at), status, about: last4 },
        ...(actor === CardActor.CARDHOLDER ? {} : { by: names.get(operatorIdOf(actorId)) ?? actorId }),
      }),
    ),
    ...(opened?.sessions ?? [])
      .map(toSession)
      .map(({ id, createdAt: at, userAgent: about }): Happened => ({ kind: 'session', id, at, status: '', about })),
  ];
  return {
    holds: (pending?.payments ?? []).map(toPayment).map(({ id: paymentId, merchant, amount, held: sum, holdExpiresAt: expiresAt }) => ({
      ...{ paymentId, merchant: merchant.name, held: { ...amount, amount: sum } },
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })),
    disputes,
    timeline: happened.toSorted((a, b) => b.at.localeCompare(a.at, 'en')).slice(0, LIMIT),
    unavailable,
  };
};
