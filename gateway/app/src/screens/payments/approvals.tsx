import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ShieldIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { challengesQuery, rowsOf } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The approvals that shops have asked for, newest first, and how each ended: one that was declined or has expired leaves no payment. */
export const Approvals = () => {
  const { t, word } = useTranslator();
  const challenges = useInfiniteQuery(challengesQuery);
  const rows = rowsOf(challenges.data);
  return (
    <Page
      title={t('approvals.title')}
      back={
        <BackLink to="/payments" search={{}}>
          {t('payments.title')}
        </BackLink>
      }
    >
      <p className="soft">{t('approvals.lead')}</p>
      <section className="panel" aria-busy={challenges.isFetching}>
        {challenges.isPending ? <SkeletonRows rows={6} /> : null}
        <Failure error={challenges.error} onRetry={() => void challenges.refetch()} />
        {challenges.isSuccess && rows.length === 0 ? <Empty icon={<ShieldIcon />} title={t('approvals.none')} /> : null}
        <ul className="rows">
          {rows.map(({ id, merchant, status, amount, currency, decimals, createdAt }) => (
            <li key={id}>
              <ScreenLink to="." search={{ approve: id }} state={{ isAbove: true }} className="row row-plain">
                <span>
                  <span className="row-title">{merchant.displayName ?? t('payment.unnamed')}</span>
                  <span className="soft small">{word('approve.result_', status)}</span>
                </span>
                <span className="row-end">
                  <span className="strong">
                    {amount === undefined || currency === undefined ? null : (
                      <Money amount={amount} decimals={decimals ?? 2} currency={currency} />
                    )}
                  </span>
                  <span className="soft small">{createdAt === undefined ? null : <Time at={createdAt} look="short" />}</span>
                </span>
              </ScreenLink>
            </li>
          ))}
        </ul>
        {challenges.hasNextPage ? (
          <Button busy={challenges.isFetchingNextPage} onClick={() => void challenges.fetchNextPage()}>
            {t('app.more')}
          </Button>
        ) : null}
      </section>
    </Page>
  );
};
