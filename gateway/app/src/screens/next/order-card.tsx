import { describeFailure, hasFieldProblem } from '@florin/ui/page/failure-view.ts';
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
import { PhoneCodeField, PhoneField } from '../phone-fields.tsx';
import { latestCode } from '../sandbox/latest-code.ts';

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
  const [code, setCode] = useState('');
  const [isCodeDue, setCodeDue] = useState(false);
  const request = useRequestKey();
  const ordering = useMutation({
    mutationFn: async (order: Order) => {
      if (isCodeDue) await client.phone.updatePhone({ code: code.trim() });
      return client.cards.createVirtualCard(order, { idempotencyKey: request.keyOf(order) });
    },
    onSuccess: async ({ cardId }) => {
      request.done();
      await refresh('cards', 'user');
      showToast(t('order.ready'));
      await navigate({ to: '/cards/$cardId', params: { cardId } });
    },
    onError: async (error, order) => {
      if (describeFailure(error).code !== 'PHONE_NOT_VERIFIED' || order.phone === undefined) return;
      await client.phone.sendPhoneCode({ phone: order.phone });
      setCodeDue(true);
      if (isSandbox) setCode((await latestCode(order.phone)) ?? '');
    },
  });
  if (user.isPending) return <SkeletonRows />;
  if (user.isError) return <Failure error={user.error} onRetry={() => void user.refetch()} />;
  const needsPhone = user.data.phone === undefined || isCodeDue;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTooLong(cardName)) return;
    ordering.mutate({ cardName: cardName.trim(), ...(needsPhone ? { phone: toE164(phone) } : {}) });
  };
  const phoneProblem = hasFieldProblem(ordering.error, 'phone') ? t('order.phone_wrong') : undefined;
  const nameProblem = isTooLong(cardName) || hasFieldProblem(ordering.error, 'cardName') ? t('order.name_wrong') : undefined;
  const isAsked = describeFailure(ordering.error).code === 'PHONE_NOT_VERIFIED';
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
      {isCodeDue ? <PhoneCodeField phone={phone} value={code} onChange={setCode} /> : null}
      {phoneProblem === undefined && nameProblem === undefined && !isAsked ? <Failure error={ordering.error} /> : null}
      <Button kind="primary" type="submit" busy={ordering.isPending}>
        {isCodeDue ? t('order.confirm') : t('order.done')}
      </Button>
    </form>
  );
};
