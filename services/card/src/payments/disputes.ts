import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { authenticationUsed } from '../domain/authentication-effects.ts';
import { isLive } from '../domain/card.ts';
import {
  type Dispute,
  type DisputeDetails,
  type DisputeOutcome,
  type DisputeReason,
  type DisputeStage,
  disputeOf,
  disputesOf,
  isOutcome,
  MAX_DISPUTES,
  networkReasonOf,
  newlyDisputableOf,
} from '../domain/dispute.ts';
import { eventOf, type Payment } from '../domain/payment.ts';
import type { Program } from '../domain/program.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';
import type { PaymentStore } from '../store/payments.ts';
import { awaitEffects } from './background.ts';
import type { Effects } from './carry-out-effects.ts';
import type { EventRecorder } from './record-payment-event.ts';
import type { Relating } from './relate-refund.ts';

type DisputesParts = {
  cardholders: Pick<CardholderStore, 'countProvisionalCredit'>;
  cards: Pick<CardStore, 'find'>;
  payments: Pick<PaymentStore, 'findRefundsOf'>;
  record: EventRecorder;
  relating: Relating;
  effects: Effects;
  program: Program;
  runtime: Pick<Runtime, 'now'>;
};

/** A dispute to open. `amount` is absent for all that can be disputed, `actor` for the cardholder. */
export type NewDispute = {
  id: string;
  reason: DisputeReason;
  text: string;
  amount?: Amount | undefined;
  actor?: string | undefined;
};

/** A step of a dispute that was taken. `amount` is absent for the disputed amount. */
export type ReportedStep = DisputeDetails & {
  /** Id of the event, within the payment. */
  eventId: string;
  stage: Exclude<DisputeStage, 'opened'> | DisputeOutcome;
  amount?: Amount | undefined;
  note?: string | undefined;
  actor?: string | undefined;
};

const DAY_MS = 86_400_000;

/** Opens disputes of payments and records their steps. Each is one event of the payment, and one conditional write. */
export class Disputes {
  readonly #parts: DisputesParts;

  constructor(parts: DisputesParts) {
    this.#parts = parts;
  }

  /**
   * Opens a dispute. Safe to repeat with the same id.
   * @returns the payment with the dispute
   * @throws CodedError DISPUTE_NOT_AVAILABLE when less is left to dispute or the payment has MAX_DISPUTES, SERVICE_UNAVAILABLE
   */
  async open(found: Payment, dispute: NewDispute, logger: Logger): Promise<Payment> {
    const { payments, record, relating, runtime } = this.#parts;
    const { id, reason, text, amount, actor } = dispute;
    const eventId = `dispute:${id}`;
    let payment = found;
    // Refunds that this payment has not been told of yet, or that earlier releases have recorded.
    for (const refund of await payments.findRefundsOf(payment)) payment = (await relating.tell(refund, payment.id)) ?? payment;
    if (eventOf(payment, eventId) === undefined) {
      if (disputesOf(payment).length >= MAX_DISPUTES) throw new CodedError('DISPUTE_NOT_AVAILABLE');
      const disputable = newlyDisputableOf(payment);
      if (disputable === 0n || (amount !== undefined && amount > disputable)) throw new CodedError('DISPUTE_NOT_AVAILABLE');
      const card = await this.#parts.cards.find(payment.cardId);
      const networkReasonCode = networkReasonOf(card?.network ?? '', reason, payment);
      const blocksCard = reason === 'fraud' && card !== undefined && isLive(card, runtime.now());
      const opened = {
        id,
        reason: text === '' ? reason : `${reason}: ${text}`,
        provisionalCredit: await this.#provisionalCredit(payment, id, amount ?? disputable),
        ...(networkReasonCode === undefined ? {} : { networkReasonCode }),
        ...(blocksCard ? { cardBlocked: true as const } : {}),
        actor,
      };
      const event = { id: eventId, type: 'dispute_opened' as const, at: runtime.now(), dispute: opened };
      payment = await record(payment, { ...event, ...(amount === undefined ? {} : { billing: amount }) }, payment);
    }
    // Of disputes that race for the same amount, the later one is recorded without effect.
    if (disputeOf(payment, id) === undefined) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    await awaitEffects(this.#parts.effects.run(payment, logger));
    return payment;
  }

  /**
   * Records a step. Safe to repeat with the same event id.
   * @throws CodedError DISPUTE_NOT_AVAILABLE when the dispute has another outcome, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED when the amount is above the
   * disputed one, SERVICE_UNAVAILABLE
   */
  async advance(payment: Payment, dispute: Dispute, step: ReportedStep, logger: Logger): Promise<Payment> {
    const { eventId, stage, amount, note, actor, networkCaseId, networkReasonCode, deadline } = step;
    if (amount !== undefined && amount > dispute.amount) {
      throw new CodedError('VALIDATION_FAILED', { message: 'amount: must be at most the disputed amount' });
    }
    const inputHash = hashInput({ disputeId: dispute.id, ...step });
    const told = { id: dispute.id, inputHash, networkCaseId, networkReasonCode, deadline, note, actor };
    const known = eventOf(payment, eventId);
    if (known === undefined && isOutcome(stage) && !isOpenFor(dispute, stage)) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const event = { id: eventId, type: `dispute_${stage}` as const, at: this.#parts.runtime.now(), dispute: told };
    const advanced = await this.#parts.record(payment, { ...event, ...(amount === undefined ? {} : { billing: amount }) }, payment);
    const first = eventOf(advanced, eventId)?.dispute?.inputHash;
    if (first !== undefined && first !== inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    // Of opposite outcomes that race, the later one is recorded without effect.
    const after = disputeOf(advanced, dispute.id);
    if (isOutcome(stage) && known === undefined && after?.status !== stage) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    await awaitEffects(this.#parts.effects.run(advanced, logger));
    return advanced;
  }

  /** The amount that the program credits while the dispute is undecided; none where the cardholder has approved the payment. */
  async #provisionalCredit(payment: Payment, disputeId: string, amount: Amount): Promise<Amount> {
    const { cardholders, program, runtime } = this.#parts;
    const { disputes, days, clearedWithinDays } = program.provisionalCreditLimits;
    const credit = (amount * BigInt(program.provisionalCreditPercent)) / 100n;
    if (credit === 0n || authenticationUsed(payment) !== undefined) return 0n;
    const at = runtime.now();
    if (at.getTime() - (payment.clearedAt ?? payment.createdAt).getTime() > clearedWithinDays * DAY_MS) return 0n;
    const since = new Date(at.getTime() - days * DAY_MS);
    return (await cardholders.countProvisionalCredit(payment.userId, { disputeId, at }, disputes, since)) ? credit : 0n;
  }
}

const isOpenFor = ({ status }: Dispute, outcome: DisputeOutcome): boolean => status === 'submitted' || status === outcome;
