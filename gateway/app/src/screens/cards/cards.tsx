import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { ButtonLink } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { CardIcon, PlusIcon } from '@florin/ui/parts/icons.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { useQuery } from '@tanstack/react-query';
import { cardsQuery } from '../../api/queries.ts';
import { goneCards, liveCards } from '../../domain/cards.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { OrderCard } from '../next/order-card.tsx';
import { CardPicture } from './card-picture.tsx';

/** All cards: those that work first. */
export const Cards = () => {
  const { t } = useTranslator();
  const cards = useQuery(cardsQuery);
  const rows = cards.data ?? [];
  const order = (
    <ButtonLink to="/cards/order" small kind="primary">
      <PlusIcon />
      {t('cards.order')}
    </ButtonLink>
  );
  return (
    <Page title={t('cards.title')} action={rows.length === 0 ? undefined : order}>
      {cards.isPending ? (
        <div className="card-list">
          <span className="skeleton skeleton-card" />
        </div>
      ) : null}
      <Failure error={cards.error} onRetry={() => void cards.refetch()} />
      {cards.isSuccess && rows.length === 0 ? (
        <section className="panel">
          <Empty icon={<CardIcon />} title={t('cards.none')} hint={t('cards.none_hint')}>
            {order}
          </Empty>
        </section>
      ) : (
        <ul className="card-list">
          {[...liveCards(rows), ...goneCards(rows)].map((card) => (
            <li key={card.id}>
              <ScreenLink to="/cards/$cardId" params={{ cardId: card.id }} search={{}}>
                <CardPicture {...card} name={card.cardName} />
              </ScreenLink>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
};

export const OrderAnotherCard = () => {
  const { t } = useTranslator();
  return (
    <Page
      title={t('order.another')}
      narrow
      back={
        <BackLink to="/cards" search={{}}>
          {t('cards.title')}
        </BackLink>
      }
    >
      <OrderCard />
    </Page>
  );
};
