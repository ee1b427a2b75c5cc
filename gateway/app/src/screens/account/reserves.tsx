import { formatToken } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { accountQuery, balancesQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Former = { accountId: string; safeAddress: string };

const check = async (owner: string, former: Former | undefined) => {
  const { checkReserves } = await import('@florin/client/viem');
  return checkReserves(client, owner, former);
};

/**
 * Checks, in this browser, that the proof of reserves includes an account, and that its Safe holds what is owed to it. The gateway, which serves this page too, is
 * believed about the wallet that the Safe was made for.
 * @param props.former a former account; default: the current one
 */
export const ReservesCheck = ({ owner, label, former }: { owner: string; label: string; former?: Former }) => {
  const { t, locale } = useTranslator();
  const tokens = useQuery(balancesQuery).data?.data.flatMap((currency) => currency.tokens) ?? [];
  const checking = useMutation({ mutationFn: () => check(owner, former) });
  const spell = (amounts: readonly { token: string; amount: string }[]): string =>
    amounts
      .map(({ token, amount }) => {
        const decimals = tokens.find((one) => one.token === token)?.decimals ?? 0;
        return formatToken(amount, decimals, token, locale);
      })
      .join(', ') || t('reserves.nothing');
  const found = checking.data;
  return (
    <>
      {checking.error?.name === 'ReservesError' ? (
        <p role="alert" className="notice">
          {t('reserves.wrong')}
        </p>
      ) : (
        <Failure error={checking.error} />
      )}
      {found === undefined ? null : (
        <div className="stack-tight" role="status">
          <p className="strong">
            {t(found.missing.length === 0 ? 'reserves.covered' : 'reserves.missing', { missing: spell(found.missing) })}
          </p>
          <p className="small">
            {t('reserves.found', {
              time: formatTime(found.at, locale, 'short'),
              held: spell(found.held),
              owed: spell(found.owed),
              block: String(found.block),
            })}
          </p>
        </div>
      )}
      <div className="actions">
        <Button busy={checking.isPending} onClick={() => checking.mutate()}>
          {label}
        </Button>
      </div>
    </>
  );
};

/** The check of the account, where it has a Safe. */
export const Reserves = () => {
  const { t } = useTranslator();
  const { data } = useQuery(accountQuery);
  if (data?.deployment === undefined) return null;
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('reserves.title')}</h2>
        <p className="soft">{t('reserves.lead')}</p>
      </div>
      <ReservesCheck owner={data.deployment.firstOwner ?? data.safeOwnerAddress} label={t('reserves.check')} />
    </section>
  );
};
