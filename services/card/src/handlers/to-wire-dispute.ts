import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DisputeStage, type DisputeStepSchema, type PaymentDisputeSchema } from '@florin/proto/card/v1/payment';
import { createWords } from '@florin/rpc/contract';
import { type Dispute, type DisputeStepStage, reportedIdOf, stageOf, stepOf } from '../domain/dispute.ts';
import type { Payment } from '../domain/payment.ts';

const STAGES = createWords(DisputeStage);

/** The step after the first one that a wire value names. @throws Error for any other value: the contract excludes them */
export const stepFromWire = (wire: DisputeStage): Exclude<DisputeStepStage, 'opened'> => {
  const stage = STAGES.toWord(wire);
  if (stage === undefined || stage === 'opened') throw new Error('the contract excludes this stage');
  return stage;
};

const timeOf = (deadline: Date | undefined) => (deadline === undefined ? {} : { deadline: timestampFromDate(deadline) });

const stepsOf = ({ events }: Payment, disputeId: string): MessageInitShape<typeof DisputeStepSchema>[] =>
  events.flatMap(({ id, type, at, billing, dispute }) => {
    const stage = stepOf(type);
    if (stage === undefined || dispute?.id !== disputeId) return [];
    const { networkCaseId = '', networkReasonCode = '', deadline, note = '', actor = 'cardholder' } = dispute;
    const amount = billing?.toString() ?? '';
    return [
      {
        eventId: reportedIdOf(id),
        stage: STAGES.toValue(stage),
        at: timestampFromDate(at),
        amount,
        networkCaseId,
        networkReasonCode,
        note,
        actor,
        ...timeOf(deadline),
      },
    ];
  });

/** A dispute as callers see it; with its steps when `detailed`. */
export const toWireDispute = (payment: Payment, dispute: Dispute, detailed: boolean): MessageInitShape<typeof PaymentDisputeSchema> => {
  const steps = stepsOf(payment, dispute.id);
  const openedAt = steps.at(0)?.at;
  return {
    id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    provisionalCredit: dispute.provisionalCredit.toString(),
    amount: dispute.amount.toString(),
    creditedAmount: dispute.credited.toString(),
    stage: STAGES.toValue(stageOf(dispute)),
    networkCaseId: dispute.networkCaseId ?? '',
    networkReasonCode: dispute.networkReasonCode ?? '',
    ...timeOf(dispute.deadline),
    cardBlocked: dispute.cardBlocked ?? false,
    steps: detailed ? steps : [],
    ...(openedAt === undefined ? {} : { openedAt }),
  };
};
