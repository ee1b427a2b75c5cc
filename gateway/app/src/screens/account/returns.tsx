import { formatToken } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh, returnsQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Address } from './address.tsx';

type Deposit = Awaited<ReturnType<typeof client.userMovements.listReturns>>['data'][number];

const sendBack = async (deposit: Deposit): Promise<void> => {
  const [{ prepareReturn }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  await (await prepareReturn(client, deposit)).submit(await currentSigner());
};

const Return = ({ deposit }: { deposit: Deposit }) => {
  const { t, locale } = useTranslator();
  const sending = useMutation({
    mutationFn: () => sendBack(deposit),
    onSuccess: async () => {
      showToast(t('return.done'));
      await refresh('movements', 'balances');
    },
  });
  return (
    <li className="stack-tight">
      <span className="strong">{formatToken(deposit.amount, deposit.decimals, deposit.token, locale)}</span>
      <span className="mono">
        <Address address={deposit.to} />
      </span>
      <Failure error={sending.error} />
      <div className="actions">
        <Button kind="primary" busy={sending.isPending} onClick={() => sending.mutate()}>
          {t('return.sign')}
        </Button>
      </div>
    </li>
  );
};

/** Rejected deposits that are to go back to their senders; nothing where there are none. */
export const Returns = () => {
  const { t } = useTranslator();
  const { data = [] } = useQuery(returnsQuery);
  if (data.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t('return.title')}</h2>
      <p className="soft">{t('return.lead')}</p>
      <ul className="stack">
        {data.map((deposit) => (
          <Return key={deposit.id} deposit={deposit} />
        ))}
      </ul>
    </section>
  );
};
