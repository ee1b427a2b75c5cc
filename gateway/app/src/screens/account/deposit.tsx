import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Failure, SupportLink } from '@florin/ui/parts/failure.tsx';
import { Segments } from '@florin/ui/parts/field.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { QrCode } from '@florin/ui/parts/qr-code.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery, balancesQuery } from '../../api/queries.ts';
import { chainName } from '../../domain/chain-name.ts';
import { transferUri } from '../../domain/transfer-uri.ts';
import { isSandbox } from '../../environment.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { SendMoney } from '../sandbox/send-money.tsx';
import { Address } from './address.tsx';

const Share = ({ text }: { text: string }) => {
  const { t } = useTranslator();
  // A person who closes the list of apps has not met an error.
  return <Button onClick={() => void navigator.share({ text }).catch(() => undefined)}>{t('account.share')}</Button>;
};

type Token = { token: string; contract?: string | undefined };

/** What a wallet scans: a transfer of the chosen token; the address alone where tokens have no contracts. */
const Code = ({ tokens, chainId, address }: { tokens: readonly Token[]; chainId: string; address: string }) => {
  const { t } = useTranslator();
  const onChain = tokens.flatMap(({ token, contract }) => (contract === undefined ? [] : [{ token, contract }]));
  const [chosen, setChosen] = useState(onChain[0]?.token ?? '');
  const contract = onChain.find(({ token }) => token === chosen)?.contract;
  return (
    <>
      {onChain.length < 2 ? null : (
        <Segments
          legend={t('withdraw.token')}
          value={chosen}
          onChange={setChosen}
          options={onChain.map(({ token }) => ({ value: token, text: token }))}
        />
      )}
      <QrCode text={contract === undefined ? address : transferUri({ contract, chainId, to: address })} label={t('account.deposit_code')} />
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
