import { formatToken } from '@florin/ui/format/money.ts';
import { ButtonLink } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { accountQuery, allowanceQuery, balancesQuery } from '../../api/queries.ts';
import { chainName } from '../../domain/chain-name.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Address } from './address.tsx';
import { Movements } from './movements.tsx';
import { Moves } from './moves.tsx';
import { Reserves } from './reserves.tsx';
import { Returns } from './returns.tsx';
import { Statement } from './statement.tsx';

const Balances = () => {
  const balances = useQuery(balancesQuery);
  if (balances.isPending) return <SkeletonRows rows={1} />;
  if (balances.isError) return <Failure error={balances.error} onRetry={() => void balances.refetch()} />;
  return (
    <Facts
      // Currencies that are empty are no news, but for that of the card.
      facts={balances.data.data
        .filter(({ spendable }, index) => index === 0 || spendable !== '0')
        .map(({ currency, decimals, spendable }) => [
          currency,
          <span key={currency} className="strong">
            <Money amount={spendable} decimals={decimals} currency={currency} />
          </span>,
        ])}
    />
  );
};

const Details = () => {
  const { t, word } = useTranslator();
  const account = useQuery(accountQuery);
  if (account.isPending) return <SkeletonRows rows={3} />;
  if (account.isError) return <Failure error={account.error} onRetry={() => void account.refetch()} />;
  const { safeAddress, reference, chain, status } = account.data;
  // Another key may control its Safe.
  const isBlocked = status === 'blocked';
  return (
    <>
      <Facts
        facts={[
          [t('account.status'), word('account.status_', status)],
          [t('account.chain'), chainName(chain.name)],
          [
            t('account.address'),
            isBlocked ? null : (
              <span key="address" className="mono">
                <Address address={safeAddress} />
              </span>
            ),
          ],
          [
            t('account.reference'),
            <span key="reference" className="mono">
              {reference}
            </span>,
          ],
        ]}
      />
      <div className="actions">
        {isBlocked ? null : <CopyButton text={safeAddress} label={t('account.copy_address')} />}
        <CopyButton text={reference} label={t('account.copy_reference')} />
      </div>
    </>
  );
};

/** The amount that may still be collected of spent money; nothing where nothing is collected. */
const Allowance = () => {
  const { t, locale } = useTranslator();
  const { data = [] } = useQuery(allowanceQuery);
  if (data.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t('account.allowance')}</h2>
      <p className="soft">{t('account.allowance_lead')}</p>
      <Facts
        facts={data.map(({ token, decimals, spendable, perDay }) => [
          token,
          t('account.allowance_left', {
            left: formatToken(spendable, decimals, token, locale),
            limit: formatToken(perDay, decimals, token, locale),
          }),
        ])}
      />
    </section>
  );
};

/** Tokens that cannot be spent, and why. */
const TokenBlocks = () => {
  const { t } = useTranslator();
  const { data } = useQuery(accountQuery);
  return data?.tokenBlocks.map(({ token, reason }) => (
    <p key={`${token} ${reason}`} className="notice notice-warn" role="status">
      {t(`account.token_${reason}`, { token })}
    </p>
  ));
};

/** The account: what is in it, where it is, and what was booked. */
export const Account = () => {
  const { t } = useTranslator();
  const paysOut = useQuery(accountQuery).data?.deployment !== undefined;
  return (
    <Page title={t('account.title')}>
      <div className="columns">
        <div>
          <section className="panel">
            <h2>{t('home.spendable')}</h2>
            <Balances />
            <TokenBlocks />
            <div className="actions">
              <ButtonLink kind="primary" to="/account/deposit">
                {t('account.deposit')}
              </ButtonLink>
              {paysOut ? <ButtonLink to="/account/withdraw">{t('account.withdraw')}</ButtonLink> : null}
            </div>
          </section>
          <Moves />
          <Returns />
          <Statement />
        </div>
        <div>
          <section className="panel">
            <h2>{t('account.details')}</h2>
            <Details />
          </section>
          <Reserves />
          <Allowance />
          <Movements />
        </div>
      </div>
    </Page>
  );
};
