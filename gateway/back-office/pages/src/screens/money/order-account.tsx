import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { moneyAccountQuery } from '../../api/queries.ts';
import { balancesAfter } from '../../domain/balance-after.ts';
import { describeOfficeFailure } from '../../domain/office-failure.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { State } from '../../parts/state.tsx';

type Transfer = Parameters<typeof balancesAfter>[1][number];

/** Whose account an order moves, and what it makes of the balance. */
export const OrderAccount = ({ accountId, transfers }: { accountId: string; transfers: readonly Transfer[] }) => {
  const { t } = useTranslator();
  const account = useQuery(moneyAccountQuery(accountId));
  if (account.isPending) return <SkeletonRows rows={1} />;
  // An order that fails for this says that nothing moved; here nothing was ordered yet.
  if (account.isError && describeOfficeFailure(account.error).code === 'ACCOUNT_NOT_FOUND')
    return <p className="field-problem">{t('money.no_account')}</p>;
  if (account.isError) return <Failure error={account.error} />;
  const { userId, email, reference, status } = account.data;
  return (
    <div className="notice order-account">
      <p>
        <Link to="/people/$userId" params={{ userId }} preload={false} className="strong">
          {email ?? t('money.erased')}
        </Link>{' '}
        <span className="mono small">{reference}</span> {status === 'active' ? null : <State of={status} />}
      </p>
      {balancesAfter(account.data, transfers).map(({ currency, decimals, before, after }) => (
        <p key={currency} className={after.startsWith('-') ? 'field-problem' : undefined}>
          {t('money.before')} <Money amount={before} decimals={decimals} currency={currency} /> → {t('money.after')}{' '}
          <span className="strong">
            <Money amount={after} decimals={decimals} currency={currency} />
          </span>
          {after.startsWith('-') ? ` ${t('money.negative')}` : null}
        </p>
      ))}
    </div>
  );
};
