import type { PaymentDetail } from '@florin/back-office/contract';
import { DISPUTE_STAGES } from '@florin/back-office/contract/dispute-stages';
import { formatMoney, parseMoney } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useState } from 'react';
import { personPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { Table } from '../../parts/table.tsx';

type Dispute = PaymentDetail['disputes'][number];
type Part = { userId: string; payment: PaymentDetail; dispute: Dispute };

const STAGES: readonly string[] = DISPUTE_STAGES;
const OUTCOMES: readonly string[] = ['lost', 'withdrawn'];

/** The end of a day here, ISO 8601. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** Records a step of a dispute, or its outcome. */
const Advancing = ({ userId, payment, dispute, onClose }: Part & { onClose: () => void }) => {
  const { t, word, locale } = useTranslator();
  const { decimals, currency } = payment.amount;
  const [stage, setStage] = useState<string>(STAGES[STAGES.indexOf(dispute.stage) + 1] ?? 'lost');
  const [typed, setTyped] = useState('');
  const [deadline, setDeadline] = useState('');
  const [networkCaseId, setNetworkCaseId] = useState('');
  const amount = parseMoney(typed, decimals, locale);
  const isOutcome = OUTCOMES.includes(stage);
  return (
    <ActionDialog
      title={t('dispute.advance')}
      lead={t(isOutcome ? 'dispute.lead_outcome' : 'dispute.lead_step', {
        amount: formatMoney({ amount: dispute.amount, decimals, currency }, locale),
        credited: formatMoney({ amount: dispute.credited, decimals, currency }, locale),
      })}
      action={t('dispute.record')}
      danger={isOutcome}
      confirms
      path={`${personPath(userId)}/payments/${encodeURIComponent(payment.id)}/disputes/${encodeURIComponent(dispute.id)}/advance`}
      body={{
        stage,
        // A text that is no amount is rejected.
        ...(typed.trim() === '' ? {} : { amount: amount ?? typed }),
        ...(isOutcome || deadline === '' ? {} : { deadline: endOf(deadline) }),
        ...(networkCaseId.trim() === '' ? {} : { networkCaseId: networkCaseId.trim() }),
      }}
      touches={[['people', userId], ['queues']]}
      done={(reached) => t('dispute.advanced', { stage: word('queues.stage_', reached) })}
      onClose={onClose}
    >
      <SelectField
        label={t('dispute.stage')}
        value={stage}
        onChange={setStage}
        options={STAGES.map((value) => ({ value, text: word('queues.stage_', value) }))}
      />
      {isOutcome ? null : (
        <TextField
          label={t('office.amount')}
          hint={t('dispute.amount_hint')}
          problem={typed.trim() !== '' && amount === undefined ? t('money.amount_problem') : undefined}
          value={typed}
          onChange={setTyped}
          unit={currency}
          inputMode="decimal"
        />
      )}
      {isOutcome ? null : (
        <TextField type="date" label={t('dispute.deadline')} hint={t('dispute.optional')} value={deadline} onChange={setDeadline} />
      )}
      <TextField label={t('dispute.case')} hint={t('dispute.optional')} value={networkCaseId} onChange={setNetworkCaseId} maxLength={50} />
    </ActionDialog>
  );
};

/** A dispute with its steps. */
export const DisputePanel = (part: Part) => {
  const { payment, dispute } = part;
  const { t, word } = useTranslator();
  const may = useMay();
  const [isAdvancing, setIsAdvancing] = useState(false);
  const inAmount = (amount: string) => <Money key="money" {...payment.amount} amount={amount} />;
  return (
    <section className="panel">
      <div className="list-head">
        <h2>{t('file.dispute')}</h2>
        {may('disputes.decide') && dispute.status !== 'withdrawn' ? (
          <Button onClick={() => setIsAdvancing(true)}>{t('dispute.advance')}</Button>
        ) : null}
      </div>
      <Facts
        facts={[
          [t('dispute.stage'), word('queues.stage_', dispute.stage)],
          [t('office.reason'), word('dispute.reason_', dispute.reason)],
          [t('office.amount'), inAmount(dispute.amount)],
          [t('dispute.credited'), inAmount(dispute.credited)],
          [t('dispute.deadline'), dispute.deadline === undefined ? undefined : <Time key="deadline" at={dispute.deadline} />],
          [t('dispute.case'), dispute.networkCaseId],
          [t('dispute.reason_code'), dispute.networkReasonCode],
        ]}
      />
      <Table
        caption={t('dispute.steps')}
        rows={dispute.steps}
        keyOf={({ id }) => id}
        columns={[
          { head: t('office.time'), cell: ({ at }) => <Time at={at} look="short" /> },
          { head: t('dispute.stage'), cell: ({ stage }) => word('queues.stage_', stage) },
          { head: t('file.by'), cell: ({ by }) => by },
          { head: t('queues.last_note'), cell: ({ note }) => <span className="wrap">{note || '–'}</span> },
          { head: t('office.amount'), end: true, cell: ({ amount }) => (amount === undefined ? '–' : inAmount(amount)) },
        ]}
      />
      {isAdvancing ? <Advancing {...part} onClose={() => setIsAdvancing(false)} /> : null}
    </section>
  );
};
