import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds, within } from '@florin/rpc/time';
import type { Card } from '../domain/card.ts';
import { disputesOf, reportedIdOf, stageOf, stepOf } from '../domain/dispute.ts';
import type { Payment } from '../domain/payment.ts';
import type { Program } from '../domain/program.ts';
import type { CardState, DisputeState } from '../ports/card-processor.ts';

const INTERVAL_MS = 1000;

/** Records per round; the rest follows in the next round. */
const BATCH = 20;

/** Pause after the first failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Records of whose changes the processor is told. */
type Untold<T> = {
  /** Those that are due, the longest due first, and how often telling of them has failed. */
  findUntold: (now: Date, limit: number) => Promise<{ item: T; attempts: number }[]>;
  confirmTold: (item: T) => Promise<void>;
  postponeTelling: (item: T, dueAt: Date) => Promise<void>;
};

type ProcessorTellerParts<T> = {
  records: Untold<T>;
  tell: (item: T, signal: AbortSignal) => Promise<unknown>;
  processorTimeoutMs: number;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/** A card as the processor is told of it. */
export const toCardState = ({ id: cardId, revision, name, status, frozenBy, expMonth, expYear, replacedBy }: Card): CardState => ({
  ...{ cardId, revision, name, status, frozenBy, expMonth, expYear },
  ...(replacedBy === undefined ? {} : { replacedBy }),
});

const stepsOf = ({ events }: Payment, disputeId: string): DisputeState['steps'] =>
  events.flatMap(({ id, type, at, billing, dispute }) => {
    const stage = stepOf(type);
    if (stage === undefined || dispute?.id !== disputeId) return [];
    const { networkCaseId, networkReasonCode, deadline, note, actor } = dispute;
    return [{ eventId: reportedIdOf(id), stage, at, amount: billing?.toString(), networkCaseId, networkReasonCode, deadline, note, actor }];
  });

/** The disputes of a payment as the processor is told of them. */
export const toDisputeStates = (payment: Payment, { currency }: Pick<Program, 'currency'>): DisputeState[] =>
  disputesOf(payment).map(({ id: disputeId, steps = 1, amount, networkCaseId, networkReasonCode, deadline, ...dispute }) => ({
    ...{ disputeId, revision: steps, paymentId: payment.id, transactionId: payment.transactionId, cardId: payment.cardId },
    ...{ status: dispute.status, stage: stageOf(dispute), reason: dispute.reason, amount: amount.toString(), currency },
    ...{ networkCaseId, networkReasonCode, deadline, steps: stepsOf(payment, disputeId) },
  }));

const pauseMs = (attempts: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20));

/**
 * Tells the processor of the records that have changed: the latest state of each, at least once. A change marks its record in the same write, and the
 * mark goes only when the processor has taken the state of that revision, so that neither a kill nor a processor that is down loses a change. Any
 * number of replicas may tell: revisions make repeats harmless. A record whose state the processor does not take delays no other one.
 */
export const startProcessorTeller = <T extends { id: string }>(parts: ProcessorTellerParts<T>): Rounds => {
  const { records, processorTimeoutMs, runtime, logger } = parts;

  const tell = async (item: T, attempts: number): Promise<void> => {
    try {
      await within(processorTimeoutMs, parts.tell(item, AbortSignal.timeout(processorTimeoutMs)));
      await records.confirmTold(item);
    } catch (err) {
      logger.warn({ err, id: item.id }, 'telling the processor of a change failed, will retry');
      await records.postponeTelling(item, new Date(runtime.now().getTime() + pauseMs(attempts)));
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    for (;;) {
      const due = await records.findUntold(runtime.now(), BATCH);
      await Promise.all(due.map(({ item, attempts }) => tell(item, attempts)));
      if (due.length < BATCH || closed()) return;
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'telling the processor failed' });
};
