import { isFlorinError } from '@florin/client';
import { hasFieldProblem } from '@florin/ui/page/failure-view.ts';
import { useRequestKey } from '@florin/ui/page/use-request-key.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh, userQuery } from '../../api/queries.ts';
import { isTooLong } from '../../domain/card-name.ts';
import { toE164 } from '../../domain/phone.ts';
import { isSandbox } from '../../environment.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PhoneCodeField, PhoneField, sendPhoneCode, useSentCode } from '../phone-fields.tsx';

type Order = { cardName: string; phone?: string };

/** In a sandbox a number is suggested: no message leaves the machine. */
const SANDBOX_PHONE = '+49 151 12345678';

/** Name and, for the first card, phone number; where the platform wants it, the code that was sent to the number. */
export const OrderCard = () => {
  const { t } = useTranslator();
  const navigate = useNavigate();
  const user = useQuery(userQuery);
  const [cardName, setCardName] = useState(t('order.name_default'));
  const [phone, setPhone] = useState(isSandbox ? SANDBOX_PHONE : '');
  const sent = useSentCode(phone);
  /** Known to the platform, the number has to be confirmed all the same, and can be another one. */
  const [isPhoneDue, setIsPhoneDue] = useState(false);
  const request = useRequestKey();
  const ordering = useMutation({
    mutationFn: async (order: Order) => {
      if (sent.isDue) {
        await client.phone.updatePhone({ code: sent.code.trim() });
        sent.drop();
      }
      try {
        return await client.cards.createVirtualCard(order, { idempotencyKey: request.keyOf(order) });
      } catch (error) {
        if (!isFlorinError(error, 'PHONE_NOT_VERIFIED')) throw error;
        setIsPhoneDue(true);
        const number = order.phone ?? user.data?.phone;
        if (number === undefined) throw error;
        return sendPhoneCode(number);
      }
    },
    onSuccess: async (answer) => {
      if ('sentTo' in answer) {
        sent.keep(answer);
        if (toE164(phone) !== answer.sentTo) setPhone(answer.sentTo);
        return;
      }
      const { cardId } = answer;
      request.done();
      await refresh('cards', 'user');
      showToast(t('order.ready'));
      await navigate({ to: '/cards/$cardId', params: { cardId } });
    },
  });
  if (user.isPending) return <SkeletonRows />;
  if (user.isError) return <Failure error={user.error} onRetry={() => void user.refetch()} />;
  const needsPhone = user.data.phone === undefined || isPhoneDue;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTooLong(cardName)) return;
    ordering.mutate({ cardName: cardName.trim(), ...(needsPhone ? { phone: toE164(phone) } : {}) });
  };
  const phoneProblem = hasFieldProblem(ordering.error, 'phone') ? t('order.phone_wrong') : undefined;
  const nameProblem = isTooLong(cardName) || hasFieldProblem(ordering.error, 'cardName') ? t('order.name_wrong') : undefined;
  return (
    <form className="panel form" onSubmit={submit}>
      <p className="soft">{t('order.lead')}</p>
      <TextField
        label={t('order.name')}
        hint={t('order.name_hint')}
        value={cardName}
        onChange={setCardName}
        required
        problem={nameProblem}
      />
      {needsPhone ? <PhoneField label={t('order.phone')} value={phone} onChange={setPhone} problem={phoneProblem} /> : null}
      {sent.isDue ? <PhoneCodeField phone={toE164(phone)} value={sent.code} onChange={sent.change} /> : null}
      {phoneProblem === undefined && nameProblem === undefined ? <Failure error={ordering.error} /> : null}
      <Button kind="primary" type="submit" busy={ordering.isPending}>
        {sent.isDue ? t('order.confirm') : t('order.done')}
      </Button>
    </form>
  );
};
