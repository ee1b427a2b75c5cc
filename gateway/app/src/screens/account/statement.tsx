import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { statementQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** A credit to the card that was taken back, for example that of a dispute after a refund, is a transfer too. */
const lineWord = (kind: string, amount: string): string => (kind === 'transfer' && amount.startsWith('-') ? 'transfer_back' : kind);

/** Everything that was booked, with the balance after each line. */
export const Statement = () => {
  const { t, word } = useTranslator();
  const statement = useInfiniteQuery(statementQuery);
  const saving = useMutation({
    mutationFn: () => client.userMovements.listStatementCsv({}),
    onSuccess: (csv) => saveFile('florin-statement.csv', 'text/csv', csv),
  });
  const lines = statement.data?.pages.flatMap(({ data }) => data) ?? [];
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
              </th>
              <th scope="col" className="cell-end">
                {t('line.balance')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, kind, createdAt, amount, balanceAfter, decimals, currency }) => (
              <tr key={id}>
                <td>
                  <span className="strong">{word('line.', lineWord(kind, amount))}</span>
                  <br />
                  <span className="soft small">
                    <Time at={createdAt} look="short" />
                  </span>
                </td>
                <td className="cell-end strong">
                  <Money amount={amount} decimals={decimals} currency={currency} sign />
                </td>
                <td className="cell-end soft">
                  <Money amount={balanceAfter} decimals={decimals} currency={currency} />
                </td>
              </tr>
            ))}
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
