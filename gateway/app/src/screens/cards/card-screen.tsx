import type { Card } from '@florin/client';
import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Button, ButtonLink } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure, SupportLink } from '@florin/ui/parts/failure.tsx';
import { EyeIcon, ListIcon, SnowIcon } from '@florin/ui/parts/icons.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { cardQuery, paymentsQuery, refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { withApproval } from '../../wallet/approved.ts';
import { PaymentRow } from '../payments/payment-row.tsx';
import { CardControls } from './card-controls.tsx';
import { CardEnd } from './card-end.tsx';
import { CardLimits } from './card-limits.tsx';
import { CardPicture } from './card-picture.tsx';
import { PinSheet } from './pin-sheet.tsx';
import { RenameSheet } from './rename-sheet.tsx';
import { RevealSheet } from './reveal-sheet.tsx';

const SHOWN_PAYMENTS = 5;

type Opened = 'reveal' | 'pin' | 'rename' | undefined;

const Freeze = ({ card }: { card: Card }) => {
  const { t } = useTranslator();
  const isFrozen = card.status === 'frozen';
  const changing = useMutation({
    mutationFn: () => {
      const given = { cardId: card.id };
      return isFrozen
        ? withApproval({ change: 'unfreeze', given }, (approval) => client.cards.unfreezeCard({ ...given, ...approval }))
        : client.cards.freezeCard(given);
    },
    // By the answer: an event may have drawn the card anew before it.
    onSuccess: async ({ status }) => {
      await refresh('cards');
      showToast(status === 'frozen' ? t('card.frozen_now') : t('card.unfrozen_now'));
    },
  });
  return (
    <>
      <Button busy={changing.isPending} onClick={() => changing.mutate()}>
        <SnowIcon />
        {isFrozen ? t('card.unfreeze') : t('card.freeze')}
      </Button>
      <Failure error={changing.error} />
    </>
  );
};

const LiveCard = ({ card, onOpen }: { card: Card; onOpen: (opened: Opened) => void }) => {
  const { t } = useTranslator();
  const isIssuers = card.status === 'frozen' && card.frozenBy === 'issuer';
  return (
    <>
      {isIssuers ? (
        <p className="notice notice-warn">
          {t('card.frozen_by_issuer')} <SupportLink subject={card.id} />
        </p>
      ) : null}
      <div className="card-actions">
        <Button kind="primary" onClick={() => onOpen('reveal')}>
          <EyeIcon />
          {t('card.show')}
        </Button>
        {isIssuers ? null : <Freeze card={card} />}
        <Button onClick={() => onOpen('pin')}>{t('card.pin')}</Button>
        <Button onClick={() => onOpen('rename')}>{t('card.rename')}</Button>
      </div>
    </>
  );
};

const Used = ({ by }: { by: string }) => {
  const { t } = useTranslator();
  return (
    <p className="notice">
      {t('card.used')}{' '}
      <ScreenLink to="/payments/$paymentId" params={{ paymentId: by }} search={{}}>
        {t('card.used_by')}
      </ScreenLink>
    </p>
  );
};

const CardPayments = ({ cardId }: { cardId: string }) => {
  const { t } = useTranslator();
  const payments = useInfiniteQuery(paymentsQuery({ cardId }));
  const rows = payments.data?.pages[0]?.data.slice(0, SHOWN_PAYMENTS) ?? [];
  return (
    <section className="panel">
      <h2>{t('card.payments')}</h2>
      {payments.isPending ? <SkeletonRows /> : null}
      <Failure error={payments.error} onRetry={() => void payments.refetch()} />
      {payments.isSuccess && rows.length === 0 ? (
        <Empty icon={<ListIcon />} title={t('home.no_payments')} hint={t('home.no_payments_hint')} />
      ) : (
        <ul className="rows">
          {rows.map((payment) => (
            <li key={payment.id}>
              <PaymentRow payment={payment} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const Loaded = ({ card }: { card: Card }) => {
  const { t } = useTranslator();
  const [opened, setOpened] = useState<Opened>();
  const isLive = card.status === 'active' || card.status === 'frozen';
  const close = () => setOpened(undefined);
  return (
    <div className="columns">
      <div>
        <section className="card-hero" aria-label={t('payment.card')}>
          <CardPicture {...card} name={card.cardName} />
          {isLive && card.usedBy !== undefined ? <Used by={card.usedBy} /> : null}
          {isLive ? <LiveCard card={card} onOpen={setOpened} /> : <p className="notice">{t('card.gone')}</p>}
          {card.replacedBy === undefined ? null : (
            <ScreenLink to="/cards/$cardId" params={{ cardId: card.replacedBy }} search={{}}>
              {t('card.replaced_by')}
            </ScreenLink>
          )}
        </section>
        <CardPayments cardId={card.id} />
        {isLive ? (
          <section className="panel">
            <div className="panel-head">
              <h2>{t('card.limits')}</h2>
              <ButtonLink to="/cards/$cardId/limits" params={{ cardId: card.id }} small kind="quiet">
                {t('limits.change')}
              </ButtonLink>
            </div>
            <CardLimits cardId={card.id} />
          </section>
        ) : null}
      </div>
      <div>
        {isLive ? <CardControls cardId={card.id} /> : null}
        <CardEnd card={card} />
      </div>
      {opened === 'reveal' ? <RevealSheet card={card} onClose={close} /> : null}
      {opened === 'pin' ? <PinSheet card={card} onClose={close} /> : null}
      {opened === 'rename' ? <RenameSheet card={card} onClose={close} /> : null}
    </div>
  );
};

/** One card with all that can be done with it. */
export const CardScreen = () => {
  const { t } = useTranslator();
  const { cardId } = useParams({ from: '/cards/$cardId' });
  const card = useQuery(cardQuery(cardId));
  return (
    <Page
      title={card.data?.cardName ?? t('payment.card')}
      back={
        <BackLink to="/cards" search={{}}>
          {t('cards.title')}
        </BackLink>
      }
    >
      {card.isPending ? <span className="skeleton skeleton-card skeleton-card-one" /> : null}
      <Failure error={card.error} onRetry={() => void card.refetch()} />
      {card.data === undefined ? null : <Loaded key={card.data.id} card={card.data} />}
    </Page>
  );
};
