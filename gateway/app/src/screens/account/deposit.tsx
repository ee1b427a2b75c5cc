import { formatToken } from '@florin/ui/format/money.ts';
import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Failure, SupportLink } from '@florin/ui/parts/failure.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { QrCode } from '@florin/ui/parts/qr-code.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery, balancesQuery } from '../../api/queries.ts';
import { chainName } from '../../domain/chain-name.ts';
import { depositCodes } from '../../domain/deposit-codes.ts';
import { isSandbox } from '../../environment.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { SendMoney } from '../sandbox/send-money.tsx';
import { Address } from './address.tsx';

const Share = ({ text }: { text: string }) => {
  const { t } = useTranslator();
  // A person who closes the list of apps has not met an error.
  return <Button onClick={() => void navigator.share({ text }).catch(() => undefined)}>{t('account.share')}</Button>;
};

/** The code to scan: the address, or a request for a token. */
const Code = (deposit: Parameters<typeof depositCodes>[0]) => {
  const { t } = useTranslator();
  const [address, ...requests] = depositCodes(deposit);
  const [chosen, setChosen] = useState('');
  const request = requests.find(({ token }) => token === chosen);
  return (
    <>
      {requests.length === 0 ? null : (
        <SelectField
          label={t('account.code')}
          value={chosen}
          onChange={setChosen}
          options={[
            { value: '', text: t('account.address') },
            ...requests.map(({ token = '' }) => ({ value: token, text: t('account.code_request', { token }) })),
          ]}
        />
      )}
      <QrCode
        text={(request ?? address).text}
        label={t(request === undefined ? 'account.deposit_code' : 'account.code_request', { token: chosen })}
      />
      {request === undefined ? null : <p className="notice notice-warn">{t('account.code_check')}</p>}
    </>
  );
};

/** Where to send money to; in a sandbox also the one who sends it. */
export const Deposit = () => {
  const { t, locale } = useTranslator();
  const account = useQuery(accountQuery);
  const balances = useQuery(balancesQuery);
  const isBlocked = account.data?.status === 'blocked';
  const tokens = balances.data?.data.flatMap((row) => row.tokens) ?? [];
  const minimums = tokens.flatMap(({ token, decimals, depositMinimum }) =>
    depositMinimum === undefined ? [] : [formatToken(depositMinimum, decimals, token, locale)],
  );
  return (
    <Page
      title={t('account.deposit')}
      narrow
      back={
        <BackLink to="/account" search={{}}>
          {t('account.title')}
        </BackLink>
      }
    >
      <section className="panel">
        {account.isPending || balances.isPending ? <SkeletonRows /> : null}
        <Failure error={account.error ?? balances.error} onRetry={() => void Promise.all([account.refetch(), balances.refetch()])} />
        {isBlocked ? (
          <div className="notice notice-warn">
            <p>{t('account.deposit_blocked')}</p>
            <SupportLink />
          </div>
        ) : null}
        {account.data === undefined || isBlocked || balances.data === undefined ? null : (
          <>
            <p>
              {t('account.deposit_lead', {
                tokens: new Intl.ListFormat(locale, { type: 'disjunction' }).format(tokens.map(({ token }) => token)),
                chain: chainName(account.data.chain.name),
              })}
            </p>
            <p className="signed-text">
              <Address address={account.data.safeAddress} />
            </p>
            <Code tokens={tokens} chainId={account.data.chain.id} address={account.data.safeAddress} />
            <div className="actions">
              <CopyButton text={account.data.safeAddress} label={t('account.copy_address')} />
              {'share' in navigator ? <Share text={account.data.safeAddress} /> : null}
            </div>
            <p>{t('account.deposit_time', { chain: chainName(account.data.chain.name) })}</p>
            {minimums.length === 0 ? null : (
              <p>{t('account.deposit_minimum', { amounts: new Intl.ListFormat(locale, { type: 'disjunction' }).format(minimums) })}</p>
            )}
            <p className="notice notice-warn">{t('account.deposit_warning')}</p>
            {account.data.deployment === undefined ? null : (
              <p className="soft small">
                {t('account.deposit_leave')}{' '}
                <ScreenLink to="/security" search={{}}>
                  {t('leave.title')}
                </ScreenLink>
              </p>
            )}
          </>
        )}
      </section>
      {isSandbox ? (
        <section className="panel">
          <h2>{t('sandbox.deposit')}</h2>
          <SendMoney />
        </section>
      ) : null}
    </Page>
  );
};
