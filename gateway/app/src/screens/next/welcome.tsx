import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { endFarewell, type Farewell, type SessionState, tryCookie, useFarewell } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Journey } from './journey.tsx';
import { Register } from './register.tsx';
import { SignIn } from './sign-in.tsx';

/** The cookie is tried again by itself; a press only hurries. */
const Unreachable = () => {
  const { t } = useTranslator();
  return (
    <Page title={t('unreachable.title')} narrow>
      <div role="status">
        <p className="soft">{t('unreachable.lead')}</p>
        <Button onClick={() => void tryCookie()}>{t('app.retry')}</Button>
      </div>
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
  if (session === 'starting') {
    return (
      <Page title={t('app.name')} narrow quietTitle>
        <SkeletonRows />
      </Page>
    );
  }
  if (session === 'unreachable') return <Unreachable />;
  if (session === 'none') return farewell === undefined ? <SignIn /> : <Goodbye {...farewell} />;
  return (
    <Page title={t('register.title')} narrow>
      <Register />
      <Journey step="register" />
    </Page>
  );
};
