import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { AuthenticationsClient } from '../clients/authentications.ts';
import { type HoldsClient, OrderRejectedError } from '../clients/holds.ts';
import { atMost } from '../domain/event-change.ts';
import type { ExceptionKind } from '../domain/exception.ts';
import { decidedRequests, eventOf, type Payment } from '../domain/payment.ts';
import type { PaymentEffect } from '../domain/payment-effect.ts';
import { orderIdOf, rejectionIdOf } from '../domain/payment-ids.ts';
import { fromTokenAmount, type Program, toTokenAmount } from '../domain/program.ts';
import { type CardChanges, originOf } from '../life/change-card.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { Relating } from './relate-refund.ts';
import type { LimitReservations } from './reservations.ts';

/** How much longer the ledger keeps a hold than the payment lasts. The payment's own expiry comes first; this one is a backstop. */
const BACKSTOP_MS = 2 * 86_400_000;

/** When the ledger releases a hold by itself. */
export const ledgerExpiry = (expiresAt: Date): Date => new Date(expiresAt.getTime() + BACKSTOP_MS);

/** Orders that only set money aside. Without them a clearing takes the money from what is available. */
const SETTING_ASIDE: ReadonlySet<PaymentEffect['kind']> = new Set(['open_hold', 'increase_hold', 'extend_hold']);

/** Time limit for using up an authentication, in milliseconds. */
const USE_TIMEOUT_MS = 2000;

/** `unfinished`: to be repeated soon. `rejected`: some orders stand, which the ledger rejects for the time being. */
export type EffectsOutcome = 'done' | 'unfinished' | 'rejected';

type EffectParts = {
  payments: PaymentStore;
  holds: HoldsClient;
  authentications: AuthenticationsClient;
  reservations: LimitReservations;
  relating: Relating;
  changes: CardChanges;
  exceptions: Pick<ExceptionStore, 'raise'>;
  program: Program;
};

type Posting = PaymentEffect & { kind: 'post' };
type Raise = { id: string; exception: ExceptionKind; eventId: string; amount?: Amount };

/** References of an effect in the ledger: ids by which a statement line or an entry refers to the payment. */
type Caused = readonly string[];

/**
 * Carries out the effects of a payment in their order, and confirms them. Every effect is idempotent at the ledger by its id, so that any process
 * may repeat it at any time.
 */
export const createEffects = ({ payments, holds, authentications, reservations, relating, changes, exceptions, program }: EffectParts) => {
  const { symbol: token } = program.token;

  /**
   * Claims the hold's id with a one-unit hold and voids it, so that a late creation conflicts.
   */
  const cancelHold = async ({ accountId, id: paymentId }: Payment, holdId: string, expiresAt: Date): Promise<void> => {
    const order = { accountId, token, amount: 1n, paymentId, holdId, expiresAt: ledgerExpiry(expiresAt), forced: true };
    const fence = await holds.open({ ...order, purpose: 'fence of an abandoned authorization' });
    // Without the fence a late creation would hold.
    if (fence === 'system_error') throw new OrderRejectedError(fence);
    await holds.void({ accountId, holdId });
  };

  /** The same for an increase: claims the change id with one unit, or takes back the increase that was booked. */
  const cancelIncrease = async (payment: Payment, effect: PaymentEffect & { kind: 'cancel_increase' }): Promise<void> => {
    const { accountId, id: paymentId } = payment;
    const { holdId, changeId } = effect;
    const change = { accountId, token, paymentId, holdId };
    const fence = await holds.increase({ ...change, changeId, amount: 1n, forced: true });
    if (fence !== 'held' && fence !== 'conflict') return;
    const amount = fence === 'held' ? 1n : toTokenAmount(program, effect.amount);
    await holds.decrease({ ...change, changeId: orderIdOf(paymentId, changeId, fence), amount });
  };

  const post = ({ accountId, id: paymentId }: Payment, { holdId, keepOpen, id: postingId, amount, fromHold }: Posting) => {
    const most = fromHold === undefined ? {} : { fromHold: toTokenAmount(program, fromHold) };
    return holds.post({ accountId, token, paymentId, holdId, postingId, keepOpen, amount: toTokenAmount(program, amount), ...most });
  };

  const raise = async (payment: Payment, { id, exception: kind, eventId, amount }: Raise): Promise<void> => {
    const { id: paymentId, processor, cardId, accountId } = payment;
    const { type = '', amount: originalAmount, currency, candidates } = eventOf(payment, eventId) ?? {};
    await exceptions.raise({
      ...{ id, kind, processor, eventId, eventType: type, cardId, paymentId, accountId },
      ...(amount === undefined ? {} : { amount }),
      ...(originalAmount === undefined ? {} : { originalAmount }),
      ...(currency === undefined ? {} : { originalCurrency: currency }),
      ...(candidates === undefined ? {} : { candidates }),
    });
  };

  const raiseDebt = async (payment: Payment, orderId: string, amount: Amount): Promise<void> => {
    if (amount === 0n) return;
    await raise(payment, { id: orderIdOf(payment.id, orderId, 'debt'), exception: 'debt', eventId: '', amount });
  };

  /**
   * Repeats a posting. One that was booked while the ledger had lost the hold has taken nothing from it: the hold, which was opened again since, gives back what the
   * posting would have taken.
   */
  const postAgain = async (payment: Payment, posting: Posting): Promise<Caused> => {
    const { accountId, id: paymentId } = payment;
    const { holdId, id, amount, fromHold = amount } = posting;
    const booked = await post(payment, posting);
    const missing = toTokenAmount(program, fromHold) - booked.fromHold;
    if (posting.keepOpen && missing > 0n)
      await holds.decrease({ accountId, token, paymentId, holdId, changeId: orderIdOf(paymentId, id, 'late'), amount: missing });
    await raiseDebt(payment, id, fromTokenAmount(program, booked.debt));
    return [holdId, booked.entryId];
  };

  const raiseRejection = (payment: Payment, effect: PaymentEffect): Promise<void> => {
    const amount = 'amount' in effect ? { amount: effect.amount } : {};
    return raise(payment, { id: rejectionIdOf(effect.id), exception: 'order_rejected', eventId: '', ...amount });
  };

  /** Blocks the card of a payment that is disputed as fraud, unless it has ended otherwise. */
  const blockCard = async ({ cardId }: Payment, requestId: string): Promise<void> => {
    const request = { cardId, requestId, actor: 'issuer', actorId: 'card:dispute', reason: 'a payment is disputed as fraud' } as const;
    try {
      await changes.change(cardId, { action: 'report_stolen' }, originOf(request, 'report_stolen'));
    } catch (error) {
      if (!(error instanceof CodedError && error.code === 'CARD_STATE_CONFLICT')) throw error;
    }
  };

  const carryOut = async (payment: Payment, effect: PaymentEffect, logger: Logger): Promise<Caused> => {
    const { accountId, id: paymentId } = payment;
    const order = { accountId, token, paymentId };
    switch (effect.kind) {
      case 'open_hold': {
        const { holdId } = effect;
        const expiresAt = ledgerExpiry(effect.expiresAt);
        const amount = toTokenAmount(program, effect.amount);
        const opened = await holds.open({ ...order, amount, holdId, expiresAt, forced: true, purpose: 'advice' });
        // The ledger knows the hold from before a restore of this service, or as the request's own.
        if (opened === 'conflict') await holds.extend({ accountId, holdId, changeId: effect.id, expiresAt });
        // A hold whose time was over before the ledger could be reached holds nothing.
        else if (opened !== 'held' && opened !== 'transaction_invalid') throw new OrderRejectedError(opened);
        return [holdId];
      }
      case 'increase_hold': {
        const { id: changeId, holdId, expiresAt } = effect;
        await holds.increase({
          ...order,
          holdId,
          changeId,
          amount: toTokenAmount(program, effect.amount),
          forced: true,
          expiresAt: ledgerExpiry(expiresAt),
        });
        return [];
      }
      case 'decrease_hold':
        await holds.decrease({ ...order, holdId: effect.holdId, changeId: effect.id, amount: toTokenAmount(program, effect.amount) });
        return [];
      case 'extend_hold':
        await holds.extend({ accountId, holdId: effect.holdId, changeId: effect.id, expiresAt: ledgerExpiry(effect.expiresAt) });
        return [];
      case 'void_hold':
        await holds.void({ accountId, holdId: effect.holdId });
        return [];
      case 'cancel_hold':
        await cancelHold(payment, effect.holdId, effect.expiresAt);
        return [];
      case 'cancel_increase':
        await cancelIncrease(payment, effect);
        return [];
      case 'post': {
        const { entryId, debt } = await post(payment, effect);
        await raiseDebt(payment, effect.id, fromTokenAmount(program, debt));
        return [effect.holdId, entryId];
      }
      case 'credit':
      case 'debit': {
        const system = effect.kind === 'credit' ? effect.from : effect.to;
        const purpose = system === 'disputes' ? 'dispute' : 'refund';
        await holds.transfer({
          ...order,
          entryId: effect.id,
          direction: effect.kind,
          system,
          purpose,
          amount: toTokenAmount(program, effect.amount),
        });
        // An order that is repeated after a restore tells nothing about the debt of today.
        if (effect.kind === 'debit' && payment.effects.some(({ id }) => id === effect.id)) {
          const debt = fromTokenAmount(program, await holds.debt(accountId, token));
          await raiseDebt(payment, effect.id, atMost(debt, effect.amount));
        }
        return [effect.id];
      }
      case 'move':
        await holds.move({
          token,
          reference: paymentId,
          entryId: effect.id,
          from: effect.from,
          to: effect.to,
          purpose: 'dispute',
          amount: toTokenAmount(program, effect.amount),
        });
        return [effect.id];
      case 'release_authentication':
        await authentications.release({ challengeId: effect.challengeId, paymentId, requestId: effect.requestId });
        return [];
      case 'use_authentication': {
        const { challengeId, requestId, amount, currency } = effect;
        const { cardId, merchant } = payment;
        const use = { challengeId, cardId, paymentId, requestId, amount, currency, merchantId: merchant?.id ?? '' };
        // The advice replaces what was asked for before.
        const presented = { ...use, approvedBefore: 0n, decidedRequestIds: decidedRequests(payment) };
        // Without effect when another payment has used it up in the meantime: what both have taken stands.
        await authentications.consume(presented, USE_TIMEOUT_MS);
        return [];
      }
      case 'relate': {
        const refunded = await relating.tell(payment, effect.paymentId);
        if (refunded !== undefined) await run(refunded, logger);
        return [];
      }
      case 'match':
        for (const refund of await relating.match(payment)) await run(refund, logger);
        return [];
      case 'block_card':
        await blockCard(payment, effect.id);
        return [];
      case 'raise':
        await raise(payment, effect);
        return [];
      case 'usage':
        await reservations.settle(payment);
        return [];
    }
  };

  /**
   * Carries out what is outstanding, as far as possible. An unknown outcome at the ledger ends the run. An order that the ledger rejects stops no other
   * one: it is an exception, and repeated later in case the account changes, unless it only sets money aside, which a posting does not depend on.
   * An approval that cannot be given back or used up now stops no booking either.
   */
  const run = async (payment: Payment, logger: Logger): Promise<EffectsOutcome> => {
    const done: string[] = [];
    const caused: string[] = [];
    let outcome: EffectsOutcome = 'done';
    try {
      for (const effect of payment.effects) {
        try {
          caused.push(...(await carryOut(payment, effect, logger)));
          done.push(effect.id);
        } catch (err) {
          const { id: effectId, kind } = effect;
          if (kind === 'release_authentication' || kind === 'use_authentication') {
            logger.warn({ err, paymentId: payment.id, effectId, kind }, 'recording the use of an approval failed, will retry');
            outcome = 'unfinished';
            continue;
          }
          if (!(err instanceof OrderRejectedError)) throw err;
          logger.error({ err, paymentId: payment.id, effectId, kind }, 'the ledger rejected an order of a payment: look at the account');
          if (SETTING_ASIDE.has(kind)) {
            done.push(effectId);
            continue;
          }
          outcome = 'rejected';
          await raiseRejection(payment, effect);
        }
      }
      return outcome;
    } catch (err) {
      const expected = err instanceof CodedError && (err.code === 'SERVICE_UNAVAILABLE' || err.code === 'UPSTREAM_TIMEOUT');
      logger[expected ? 'warn' : 'error']({ err, paymentId: payment.id }, 'carrying out a payment failed, will retry');
      return 'unfinished';
    } finally {
      if (done.length > 0) await payments.confirm(payment.id, done, caused);
    }
  };

  return {
    run,
    /**
     * Carries orders out that were carried out before, for a ledger that may have lost them, and those that are outstanding.
     * @returns how many the ledger rejects
     * @throws when the outcome of one is unknown: the rest is not carried out
     */
    repeat: async (payment: Payment, orders: readonly PaymentEffect[], logger: Logger): Promise<number> => {
      const outstanding = new Set(payment.effects.map(({ id }) => id));
      let rejected = 0;
      for (const order of orders) {
        try {
          const caused = order.kind === 'post' ? await postAgain(payment, order) : await carryOut(payment, order, logger);
          if (outstanding.has(order.id)) await payments.confirm(payment.id, [order.id], caused);
        } catch (err) {
          if (!(err instanceof OrderRejectedError)) throw err;
          logger.error(
            { err, paymentId: payment.id, effectId: order.id, kind: order.kind },
            'the ledger rejected an order that is repeated',
          );
          rejected += 1;
        }
      }
      return rejected;
    },
  };
};

export type Effects = ReturnType<typeof createEffects>;
