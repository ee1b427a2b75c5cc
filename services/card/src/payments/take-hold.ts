import type { Runtime } from '@florin/rpc/runtime';
import type { HoldsClient } from '../clients/holds.ts';
import { atMost } from '../domain/event-change.ts';
import type { Payment } from '../domain/payment.ts';
import type { Decision } from '../domain/payment-event.ts';
import { holdIdOf } from '../domain/payment-ids.ts';
import { fromTokenAmount, type Program, toTokenAmount } from '../domain/program.ts';
import { uncleared } from '../domain/record-event.ts';
import { ledgerExpiry } from './carry-out-effects.ts';
import type { Deadline } from './deadline.ts';
import type { PreparedEvent } from './prepare-event.ts';

type HoldTakingParts = { holds: HoldsClient; program: Program; runtime: Pick<Runtime, 'randomInt'> };

/** Holds the money of a request at the ledger: the last step of a decision. The type of the request is the purpose, by which its entry is told from others. */
export const createHoldTaking = ({ holds, program, runtime }: HoldTakingParts) => {
  const newAuthorizationCode = (): string => String(runtime.randomInt(0, 1_000_000)).padStart(6, '0');

  const hold = (prepared: PreparedEvent, payment: Payment | undefined, billing: bigint) => {
    const { facts, event, now } = prepared;
    const { symbol: token } = program.token;
    const order = { accountId: facts.accountId, token, paymentId: facts.id, amount: toTokenAmount(program, billing) };
    const expiresAt = ledgerExpiry(event.expiresAt ?? now);
    const own = holdIdOf(facts.id, event.id);
    const { type: purpose } = event;
    if (purpose !== 'increment') return holds.open({ ...order, holdId: own, expiresAt, purpose });
    if (payment?.holdId === undefined) throw new Error('unreachable: an increment without a hold was declined before');
    return holds.increase({ ...order, holdId: payment.holdId, changeId: own, expiresAt, purpose });
  };

  /** The part of an amount that the account can pay; zero when that is less than one minor unit. */
  const affordable = async (accountId: string, wanted: bigint): Promise<bigint> => {
    const available = fromTokenAmount(program, await holds.available(accountId, program.token.symbol));
    return available < wanted ? available : wanted;
  };

  /** The part of an amount that the ledger holds, or has booked, for a request which it knows from before a restore of this service. */
  const heldBefore = async ({ facts, event }: PreparedEvent, payment: Payment | undefined, wanted: bigint): Promise<bigint> => {
    const own = holdIdOf(facts.id, event.id);
    const order = event.type === 'increment' ? { holdId: payment?.holdId ?? '', changeId: own } : { holdId: own };
    const held = await holds.heldBefore({ accountId: facts.accountId, ...order, purpose: event.type });
    return atMost(wanted, fromTokenAmount(program, held ?? 0n));
  };

  return {
    /** Decides a request that takes no money: the ledger has the state of the account. */
    check: async ({ facts, event: { billing = 0n, amount = 0n } }: Pick<PreparedEvent, 'facts' | 'event'>): Promise<Decision> => {
      const rejected = await holds.standing(facts.accountId);
      if (rejected !== undefined) return { decline: rejected, billing: 0n, amount: 0n, held: 0n };
      return { billing, amount, held: 0n, authorizationCode: newAuthorizationCode() };
    },

    /**
     * @param partial whether a part of the amount may be approved when the balance is too low
     * @throws when the outcome is unknown
     */
    take: async (
      prepared: PreparedEvent,
      payment: Payment | undefined,
      { partial, deadline }: { partial: boolean; deadline: Deadline },
    ): Promise<Decision> => {
      const { event, facts } = prepared;
      const billing = event.billing ?? 0n;
      const amount = event.amount ?? 0n;
      const approve = (approved: bigint, held: bigint): Decision => ({
        billing: approved,
        amount: approved === billing ? amount : (amount * approved) / billing,
        held,
        authorizationCode: newAuthorizationCode(),
      });
      const wanted = payment === undefined || event.type === 'increment' ? billing : uncleared(payment, billing);
      if (wanted === 0n) return approve(billing, 0n);
      const first = await deadline.bound(hold(prepared, payment, wanted));
      if (first === 'held') return approve(billing, wanted);
      const cleared = billing - wanted;
      if (first === 'insufficient_funds' && partial) {
        const part = await deadline.bound(affordable(facts.accountId, wanted));
        const second = part > 0n ? await deadline.bound(hold(prepared, payment, part)) : 'insufficient_funds';
        if (second === 'held') return approve(cleared + part, part);
      }
      if (first === 'conflict') {
        // The ledger knows the id from before a restore of this service: the request was approved then. Amounts that are no longer held are released.
        const before = await deadline.bound(heldBefore(prepared, payment, wanted));
        if (before > 0n) return approve(cleared + before, before);
        return { decline: 'system_error', billing: 0n, amount: 0n, held: 0n, heldUnknown: true };
      }
      return { decline: first, billing: 0n, amount: 0n, held: 0n };
    },
  };
};

export type HoldTaking = ReturnType<typeof createHoldTaking>;
