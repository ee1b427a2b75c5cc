import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime, Time } from '@florin/ui/parts/time.tsx';
import { useEffect, useState } from 'react';
import { readLastKnown } from '../../api/last-known.ts';
import { endFarewell, type Farewell, type SessionState, signOut, tryCookie, useFarewell } from '../../api/session.ts';
import type { LastKnown } from '../../domain/last-known.ts';
import { isVoid, signedAmount } from '../../domain/payment-view.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Journey } from './journey.tsx';
import { Register } from './register.tsx';
import { SignIn } from './sign-in.tsx';

/** The balance and payments seen last, without links. */
const Known = ({ at, balance, payments }: LastKnown) => {
  const { t, locale } = useTranslator();
  return (
    <>
      <section className="balance" aria-label={t('home.spendable')}>
        <h2 className="balance-label">{t('home.spendable')}</h2>
        <p className="balance-amount">
          <Money amount={balance.spendable} decimals={balance.decimals} currency={balance.currency} />
        </p>
        <p className="balance-more">{t('unreachable.as_of', { time: formatTime(at, locale) })}</p>
      </section>
      <section className="panel">
        <h2>{t('home.latest')}</h2>
        {payments.length === 0 ? <p className="soft">{t('home.no_payments')}</p> : null}
        <ul className="rows">
          {payments.map((payment) => (
            <li key={payment.id} className="row row-plain">
              <span>
                <span className="row-title">{payment.merchant.name ?? t('payment.unnamed')}</span>
                <span className="soft small">{formatTime(payment.createdAt, locale, 'short')}</span>
              </span>
              <Money amount={signedAmount(payment)} decimals={payment.decimals} currency={payment.currency} sign isVoid={isVoid(payment)} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
};

/** The cookie is tried again by itself; a press only hurries. */
const Unreachable = () => {
  const { t } = useTranslator();
  const [known] = useState(readLastKnown);
  return (
    <Page title={t('unreachable.title')} narrow>
      <div role="status">
        <p className="soft">{t('unreachable.lead')}</p>
        <Button onClick={() => void tryCookie()}>{t('app.retry')}</Button>
      </div>
      {known === undefined ? null : <Known {...known} />}
    </Page>
  );
};

/** Longer than the platform takes to answer with a usual connection. */
const SLOW_MS = 800;

/** The platform is asked who this is. Where that takes long, what was seen last is shown meanwhile. */
const Starting = () => {
  const { t } = useTranslator();
  const [known] = useState(readLastKnown);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Page title={t('app.name')} narrow quietTitle>
      {isSlow && known !== undefined ? <Known {...known} /> : <SkeletonRows />}
    </Page>
  );
};

/** The end of an account: that it is closed, and by which name support knows it. */
const Goodbye = ({ reference, closedAt }: Farewell) => {
  const { t } = useTranslator();
  return (
    <Page title={t('farewell.title')} narrow>
      <section className="panel">
        <p>{t('farewell.lead')}</p>
        <Facts
          facts={[
            [t('farewell.when'), <Time key="when" at={closedAt} />],
            [
              t('farewell.reference'),
              reference === undefined ? undefined : (
                <span key="reference" className="mono">
                  {reference}
                </span>
              ),
            ],
          ]}
        />
        {reference === undefined ? null : <p className="soft small">{t('farewell.keep')}</p>}
        <Button kind="primary" onClick={endFarewell}>
          {t('farewell.done')}
        </Button>
      </section>
    </Page>
  );
};

/** The screen of a person who is not registered yet, whatever address was opened: the address is shown after the registration. */
export const Welcome = ({ session }: { session: SessionState }) => {
  const { t } = useTranslator();
  const farewell = useFarewell();
  if (session === 'starting') return <Starting />;
  if (session === 'unreachable') return <Unreachable />;
  if (session === 'none') return farewell === undefined ? <SignIn /> : <Goodbye {...farewell} />;
  return (
    <Page title={t('register.title')} narrow>
      <Register />
      <Journey step="register" />
      <Button kind="quiet" onClick={() => void signOut()}>
        {t('register.other_wallet')}
      </Button>
    </Page>
  );
};
