import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { fileQuery } from '../../api/queries.ts';
import type { Challenges as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { State } from '../../parts/state.tsx';

export const Challenges = () => {
  const { t } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/challenges' });
  const challenges = useInfiniteQuery(fileQuery<Answer>(userId, 'challenges'));
  return (
    <section className="panel">
      <h2>{t('file.challenges')}</h2>
      <PagedTable
        caption={t('file.challenges')}
        query={challenges}
        rowsOf={(answer) => answer.challenges}
        keyOf={({ id }) => id}
        none={t('file.no_challenges')}
        columns={[
          { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          {
            head: t('file.merchant'),
            cell: ({ id, merchant }) => (
              <Link to="/people/$userId/challenges/$challengeId" params={{ userId, challengeId: id }} preload={false}>
                {merchant.name}
              </Link>
            ),
          },
          { head: t('file.card'), cell: ({ cardLast4 }) => <span className="numbers">•••• {cardLast4}</span> },
          { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
          { head: t('file.valid_until'), cell: ({ expiresAt }) => <Time at={expiresAt} look="short" /> },
          { head: t('office.amount'), end: true, cell: ({ amount }) => (amount === undefined ? '–' : <Money {...amount} />) },
        ]}
      />
    </section>
  );
};
