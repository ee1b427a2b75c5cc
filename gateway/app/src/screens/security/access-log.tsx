import { shortAddress } from '@florin/ui/format/short-address.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { accessLogQuery, rowsOf } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** Each use of card data, newest first. */
export const AccessLog = () => {
  const { t, word } = useTranslator();
  const log = useInfiniteQuery(accessLogQuery);
  const rows = rowsOf(log.data);
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('security.access')}</h2>
        <p className="soft">{t('security.access_lead')}</p>
      </div>
      {log.isPending ? <SkeletonRows /> : null}
      <Failure error={log.error} onRetry={() => void log.refetch()} />
      {log.isSuccess && rows.length === 0 ? <p className="soft">{t('security.access_none')}</p> : null}
      <ul className="rows">
        {rows.map(({ id, action, last4, wallet, at }) => (
          <li key={id} className="row row-plain">
            <span>
              <span className="row-title">{word('security.access_', action)}</span>
              <span className="soft small">
                {t('card.ending', { last4 })}
                {wallet === undefined ? '' : ` · ${shortAddress(wallet)}`}
              </span>
            </span>
            <span className="soft small row-end">
              <Time at={at} look="short" />
            </span>
          </li>
        ))}
      </ul>
      {log.hasNextPage ? (
        <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('app.more')}
        </Button>
      ) : null}
    </section>
  );
};
