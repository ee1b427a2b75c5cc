import type { Output } from '@florin/client';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { rowsOf, statementQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { lineWord } from './line-word.ts';
import { MonthlyStatement } from './monthly-statement.tsx';

type Line = Output<'userMovements.listStatement'>['data'][number];

const What = ({ line }: { line: Line }) => {
  const { t, word } = useTranslator();
  const text = word('line.', lineWord(line));
  const { cardTransactionId, merchant } = line;
  return (
    <>
      {cardTransactionId === undefined ? (
        <span className="strong">{text}</span>
      ) : (
        <ScreenLink to="/payments/$paymentId" params={{ paymentId: cardTransactionId }} search={{}} className="strong">
          {merchant?.name ?? t('payment.unnamed')}
        </ScreenLink>
      )}
      <br />
      <span className="soft small">
        {cardTransactionId === undefined ? null : `${text} · `}
        <Time at={line.createdAt} look="short" />
      </span>
    </>
  );
};

/** Everything that was booked, with the balance after each line. */
export const Statement = () => {
  const { t } = useTranslator();
  const statement = useInfiniteQuery(statementQuery);
  const saving = useMutation({
    mutationFn: () => client.userMovements.listStatementCsv({}),
    onSuccess: (csv) => saveFile('florin-statement.csv', 'text/csv', csv),
  });
  const lines = rowsOf(statement.data);
  return (
    <section className="panel">
      <div className="panel-head">
        <h2 id="statement">{t('account.statement')}</h2>
        {lines.length === 0 ? null : (
          <Button kind="quiet" small busy={saving.isPending} onClick={() => saving.mutate()}>
            {t('account.csv')}
          </Button>
        )}
      </div>
      <Failure error={saving.error} />
      {lines.length === 0 ? null : <MonthlyStatement />}
      {statement.isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={statement.error} onRetry={() => void statement.refetch()} />
      {statement.isSuccess && lines.length === 0 ? (
        <Empty icon={<ListIcon />} title={t('account.no_lines')} hint={t('account.no_lines_hint')} />
      ) : null}
      {lines.length === 0 ? null : (
        <table aria-labelledby="statement">
          <thead>
            <tr>
              <th scope="col">{t('line.what')}</th>
              <th scope="col" className="cell-end">
                {t('line.amount')}
                <span className="narrow-only">{t('line.balance')}</span>
              </th>
              <th scope="col" className="cell-end wide-only">
                {t('line.balance')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => {
              const balance = <Money amount={line.balanceAfter} decimals={line.decimals} currency={line.currency} />;
              return (
                <tr key={line.id}>
                  <td className="wrap">
                    <What line={line} />
                  </td>
                  <td className="cell-end">
                    <span className="strong">
                      <Money amount={line.amount} decimals={line.decimals} currency={line.currency} sign />
                    </span>
                    <span className="soft small narrow-only">{balance}</span>
                  </td>
                  <td className="cell-end soft wide-only">{balance}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {statement.hasNextPage ? (
        <Button busy={statement.isFetchingNextPage} onClick={() => void statement.fetchNextPage()}>
          {t('app.more')}
        </Button>
      ) : null}
    </section>
  );
};
