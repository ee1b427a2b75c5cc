import { formatMoney } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { balancesQuery, refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The amount sent at once, in whole units of the currency. */
const SUMS = ['100', '500'] as const;

type Transfer = { token: string; decimals: number; currency: string; sum: string };

const amountOf = ({ sum, decimals }: Transfer): string => `${sum}${'0'.repeat(decimals)}`;

/** Plays somebody who sends money to the account. The heading is its surroundings'. */
export const SendMoney = () => {
  const { t, locale } = useTranslator();
  const balances = useQuery(balancesQuery);
  const main = balances.data?.data[0];
  const token = main?.tokens[0];
  const format = (transfer: Transfer) => formatMoney({ ...transfer, amount: amountOf(transfer) }, locale);
  const sending = useMutation({
    mutationFn: (transfer: Transfer) => client.sandbox.createDeposit({ token: transfer.token, amount: amountOf(transfer) }),
    onSuccess: async (_sent, transfer) => {
      await refresh('balances', 'movements');
      showToast(t('sandbox.deposited', { amount: format(transfer) }));
    },
  });
  return (
    <>
      <div className="actions">
        {main === undefined || token === undefined
          ? null
          : SUMS.map((sum) => {
              const transfer = { token: token.token, decimals: token.decimals, currency: main.currency, sum };
              return (
                <Button key={sum} busy={sending.isPending && sending.variables.sum === sum} onClick={() => sending.mutate(transfer)}>
                  {t('sandbox.deposit_do', { amount: format(transfer) })}
                </Button>
              );
            })}
      </div>
      <Failure error={sending.error ?? balances.error} />
    </>
  );
};
