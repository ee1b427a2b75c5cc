import type { Card } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { formatExpiry, Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fileQuery, personPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { Cards as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { State } from '../../parts/state.tsx';
import { Rules } from './card-rules.tsx';

type Asked = { what: 'freeze' | 'unfreeze' | 'lost' | 'stolen'; card: Card };

/** What is asked about a card, and done. */
const Changing = ({ userId, asked: { what, card }, onClose }: { userId: string; asked: Asked; onClose: () => void }) => {
  const { t } = useTranslator();
  return (
    <ActionDialog
      title={t(`do.${what}_title`, { last4: card.last4 })}
      lead={t(`do.${what}_lead`)}
      action={t(`do.${what}`)}
      danger={what !== 'unfreeze'}
      path={`${personPath(userId)}/cards/${encodeURIComponent(card.id)}/${what}`}
      touches={[['people', userId, 'cards']]}
      done={t(`do.${what}_done`)}
      onClose={onClose}
    />
  );
};

/** What can be done with a card. One that its holder froze is lifted by them alone; one that has ended stays as it is. */
const actionsOf = ({ status, frozenBy }: Card): Asked['what'][] => {
  if (status !== 'active' && status !== 'frozen') return [];
  const freezing = status === 'active' ? (['freeze'] as const) : frozenBy === 'issuer' ? (['unfreeze'] as const) : [];
  return [...freezing, 'lost', 'stolen'];
};

export const Cards = () => {
  const { t, word } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/cards' });
  const may = useMay();
  const cards = useInfiniteQuery(fileQuery<Answer>(userId, 'cards'));
  const [asked, setAsked] = useState<Asked>();
  const [ruled, setRuled] = useState<Card>();
  return (
    <section className="panel">
      <h2>{t('file.cards')}</h2>
      <PagedTable
        caption={t('file.cards')}
        query={cards}
        rowsOf={(answer) => answer.cards}
        keyOf={({ id }) => id}
        none={t('file.no_cards')}
        columns={[
          {
            head: t('file.card'),
            cell: ({ name, last4 }) => (
              <>
                <span className="strong">{name}</span> <span className="numbers">•••• {last4}</span>
              </>
            ),
          },
          { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
          {
            head: t('file.frozen_by'),
            cell: ({ status, frozenBy, frozenByName }) =>
              status === 'frozen' && frozenBy !== undefined ? (frozenByName ?? word('file.frozen_by_', frozenBy)) : '–',
          },
          {
            head: t('file.expires'),
            cell: ({ expiresMonth, expiresYear }) => <span className="numbers">{formatExpiry(expiresMonth, expiresYear)}</span>,
          },
          { head: t('office.created'), cell: ({ createdAt }) => <Time at={createdAt} look="day" /> },
          {
            head: ' ',
            end: true,
            cell: (card: Card) => (
              <span className="row-actions">
                <Button small onClick={() => setRuled(card)}>
                  {t('file.rules')}
                </Button>
                {(may('cards.freeze') ? actionsOf(card) : []).map((what) => (
                  <Button small key={what} onClick={() => setAsked({ what, card })}>
                    {t(`do.${what}`)}
                  </Button>
                ))}
              </span>
            ),
          },
        ]}
      />
      {asked === undefined ? null : <Changing userId={userId} asked={asked} onClose={() => setAsked(undefined)} />}
      {ruled === undefined ? null : <Rules userId={userId} card={ruled} onClose={() => setRuled(undefined)} />}
    </section>
  );
};
