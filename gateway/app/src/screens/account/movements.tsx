import type { Deposit, Withdrawal } from '@florin/client';
import { negate } from '@florin/ui/format/money.ts';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { InIcon, OutIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { depositsQuery, withdrawalsQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Movement = { kind: 'deposit'; row: Deposit } | { kind: 'withdrawal'; row: Withdrawal };

/** States in which no money has moved, or it came back. */
const VOID = new Set(['rejected', 'failed']);

const Row = ({ kind, row }: Movement) => {
  const { word } = useTranslator();
  const isIn = kind === 'deposit';
  return (
    <li className="row">
      <span className="face" aria-hidden="true">
        {isIn ? <InIcon /> : <OutIcon />}
      </span>
      <span>
        <span className="row-title">{word('movement.', kind)}</span>
        <span className="soft small">{word('movement.', row.status)}</span>
      </span>
      <span className="row-end">
        <span className="strong">
          <Money
            amount={isIn ? row.amount : negate(row.amount)}
            decimals={row.decimals}
            currency={row.currency}
            sign
            isVoid={VOID.has(row.status)}
          />
        </span>
        <span className="soft small">
          <Time at={row.createdAt} look="short" />
        </span>
      </span>
    </li>
  );
};

/** Deposits and withdrawals with their states, newest first. */
export const Movements = () => {
  const { t } = useTranslator();
  const deposits = useQuery(depositsQuery);
  const withdrawals = useQuery(withdrawalsQuery);
  const rows: Movement[] = [
    ...(deposits.data ?? []).map((row) => ({ kind: 'deposit' as const, row })),
    ...(withdrawals.data ?? []).map((row) => ({ kind: 'withdrawal' as const, row })),
  ].sort((one, other) => other.row.createdAt.localeCompare(one.row.createdAt));
  return (
    <section className="panel">
      <h2>{t('account.movements')}</h2>
      {deposits.isPending || withdrawals.isPending ? <SkeletonRows rows={2} /> : null}
      <Failure error={deposits.error ?? withdrawals.error} onRetry={() => void Promise.all([deposits.refetch(), withdrawals.refetch()])} />
      {deposits.isSuccess && withdrawals.isSuccess && rows.length === 0 ? <p className="soft">{t('account.no_movements')}</p> : null}
      <ul className="rows">
        {rows.map((movement) => (
          <Row key={movement.row.id} {...movement} />
        ))}
      </ul>
    </section>
  );
};
