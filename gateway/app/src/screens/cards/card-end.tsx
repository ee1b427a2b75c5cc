import type { Card } from '@florin/client';
import { useRequestKey } from '@florin/ui/page/use-request-key.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Confirm } from '@florin/ui/parts/confirm.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { formatExpiry } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { expiresSoon } from '../../domain/cards.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type End = 'lost' | 'stolen' | 'cancel' | 'renew';

const CALLS = {
  lost: (cardId: string) => client.cards.reportCardLost({ cardId }),
  stolen: (cardId: string) => client.cards.reportCardStolen({ cardId }),
  cancel: (cardId: string) => client.cards.cancelCard({ cardId }),
  renew: (cardId: string) => client.cards.renewCard({ cardId }),
} as const;

const ConfirmEnd = ({ card, end, onClose }: { card: Card; end: End; onClose: () => void }) => {
  const { t } = useTranslator();
  const ending = useMutation({
    mutationFn: () => CALLS[end](card.id),
    onSuccess: async ({ expMonth, expYear }) => {
      await refresh('cards');
      if (end === 'renew') showToast(t('card.renewed', { month: formatExpiry(expMonth, expYear) }));
      onClose();
    },
  });
  return (
    <Confirm
      title={t(`card.${end}_question`)}
      lead={t(`card.${end}_lead`)}
      action={t(`card.${end}`)}
      busy={ending.isPending}
      failure={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  );
};

const Replace = ({ card }: { card: Card }) => {
  const { t } = useTranslator();
  const navigate = useNavigate();
  const request = useRequestKey();
  const replacing = useMutation({
    mutationFn: () => client.cards.replaceCard({ cardId: card.id }, { idempotencyKey: request.keyOf(card.id) }),
    onSuccess: async ({ id }) => {
      await refresh('cards');
      showToast(t('order.ready'));
      await navigate({ to: '/cards/$cardId', params: { cardId: id }, search: {} });
    },
  });
  return (
    <>
      <Button kind="primary" busy={replacing.isPending} onClick={() => replacing.mutate()}>
        {t('card.replace')}
      </Button>
      <Failure error={replacing.error} />
    </>
  );
};

/** Lost, stolen, cancelled, renewed, replaced. */
export const CardEnd = ({ card }: { card: Card }) => {
  const { t } = useTranslator();
  const [end, setEnd] = useState<End>();
  const isReplaceable = (card.status === 'lost' || card.status === 'stolen') && card.replacedBy === undefined;
  const isLive = card.status === 'active' || card.status === 'frozen';
  if (!isLive && !isReplaceable) return null;
  return (
    <section className="panel">
      <h2>{t('card.more')}</h2>
      {isReplaceable ? <Replace card={card} /> : null}
      {isLive ? (
        <div className="stack">
          <Button onClick={() => setEnd('lost')}>{t('card.lost')}</Button>
          <Button onClick={() => setEnd('stolen')}>{t('card.stolen')}</Button>
          {expiresSoon(card, new Date()) ? <Button onClick={() => setEnd('renew')}>{t('card.renew')}</Button> : null}
          <Button onClick={() => setEnd('cancel')}>{t('card.cancel')}</Button>
        </div>
      ) : null}
      {end === undefined ? null : <ConfirmEnd card={card} end={end} onClose={() => setEnd(undefined)} />}
    </section>
  );
};
