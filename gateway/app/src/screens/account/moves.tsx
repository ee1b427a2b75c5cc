import { formatToken } from '@florin/ui/format/money.ts';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { movesQuery, refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReservesCheck } from './reserves.tsx';

/** The new account is ready a moment after it is active, of which no event tells. */
const LOOK_AGAIN_MS = 5000;

type Money = Awaited<ReturnType<typeof client.userMovements.listMoves>>['data'][number];

const moveOver = async (money: Money): Promise<void> => {
  const [{ prepareMove }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  const signer = await currentSigner();
  await (await prepareMove(client, money, signer)).submit(signer);
};

const Move = ({ money, isReady }: { money: Money; isReady: boolean }) => {
  const { t, locale } = useTranslator();
  const moving = useMutation({
    mutationFn: () => moveOver(money),
    onSuccess: async () => {
      showToast(t('move.done'));
      await refresh('movements', 'balances');
    },
  });
  return (
    <li className="stack-tight">
      <span className="strong">{formatToken(money.amount, money.decimals, money.token, locale)}</span>
      <Failure error={moving.error} />
      {money.cosigned ? null : <p>{t('move.alone')}</p>}
      {isReady && money.cosigned ? (
        <div className="actions">
          <Button kind="primary" busy={moving.isPending} onClick={() => moving.mutate()}>
            {t('move.sign')}
          </Button>
        </div>
      ) : null}
    </li>
  );
};

/** Money that former accounts of the person still have; nothing where there is none. */
export const Moves = () => {
  const { t } = useTranslator();
  const { data: rows = [], ready = false } =
    useQuery({
      ...movesQuery,
      refetchInterval: ({ state }) => (state.data !== undefined && state.data.data.length > 0 && !state.data.ready ? LOOK_AGAIN_MS : false),
    }).data ?? {};
  if (rows.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t('move.title')}</h2>
      {rows.some(({ cosigned }) => cosigned) ? (
        <>
          <p className="soft">{t('move.lead')}</p>
          {ready ? null : <p>{t('move.waits')}</p>}
        </>
      ) : null}
      <ul className="stack">
        {rows.map((money) => (
          <Move key={`${money.accountId} ${money.token}`} money={money} isReady={ready} />
        ))}
      </ul>
      {[...new Map(rows.map((money) => [money.accountId, money])).values()].map((former) => (
        <ReservesCheck
          key={former.accountId}
          owner={former.firstOwner}
          label={t('move.check', { address: shortAddress(former.safeAddress) })}
          former={former}
        />
      ))}
    </section>
  );
};
