import type { CardTransaction, Input } from '@florin/client';
import { useRequestKey } from '@florin/ui/page/use-request-key.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Problem, TextAreaField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Dispute = Input<'cards.disputeCardTransaction'>;

const REASONS = [
  'fraud',
  'not_received',
  'not_as_described',
  'duplicate',
  'cancelled',
  'other',
] as const satisfies readonly Dispute['reason'][];

type DisputeFormProps = {
  payment: Pick<CardTransaction, 'id' | 'cardId'>;
  /** The reason that is chosen at first. */
  suggested?: Dispute['reason'];
  onClose: () => void;
};

export const DisputeForm = ({ payment: { id: transactionId, cardId }, suggested, onClose }: DisputeFormProps) => {
  const { t, word } = useTranslator();
  const [reason, setReason] = useState<Dispute['reason'] | undefined>(suggested);
  const [text, setText] = useState('');
  const [hasTried, setTried] = useState(false);
  const id = useId();
  const request = useRequestKey();
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: (dispute: Dispute) => client.cards.disputeCardTransaction(dispute, { idempotencyKey: request.keyOf(dispute) }),
    onSuccess: async ({ cardBlocked }) => {
      request.done();
      await refresh('payments', 'balances', 'movements', 'cards');
      showToast(t('dispute.sent'));
      onClose();
      // The card offers its replacement.
      if (cardBlocked) await navigate({ to: '/cards/$cardId', params: { cardId }, search: {} });
    },
  });
  const isMissing = hasTried && reason === undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (reason === undefined) return event.currentTarget.querySelector('input')?.focus();
    // The platform takes one line of text.
    const words = text.trim().replace(/\s+/g, ' ');
    sending.mutate({ transactionId, reason, ...(words === '' ? {} : { text: words }) });
  };
  return (
    <Sheet title={t('dispute.title')} onClose={onClose}>
      <form className="form" onSubmit={submit} noValidate>
        <p className="soft">{t('dispute.lead')}</p>
        <fieldset aria-describedby={isMissing ? id : undefined}>
          <legend className="label">{t('dispute.reason')}</legend>
          {REASONS.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name="reason" required checked={reason === one} onChange={() => setReason(one)} />
              {word('dispute.reason_', one)}
            </label>
          ))}
          <Problem id={id} text={isMissing ? t('dispute.reason_missing') : undefined} />
        </fieldset>
        <TextAreaField label={t('dispute.text')} hint={t('dispute.text_hint')} value={text} onChange={setText} maxLength={500} rows={3} />
        {reason === 'fraud' ? <p className="notice notice-warn">{t('dispute.fraud_blocks')}</p> : null}
        <Failure error={sending.error} />
        <Button kind="primary" type="submit" busy={sending.isPending}>
          {t('dispute.done')}
        </Button>
      </form>
    </Sheet>
  );
};
