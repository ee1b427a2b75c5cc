import { Button } from '@florin/ui/parts/button.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { type SessionState, tryCookie } from '../../api/session.ts';
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

/** The screen of a person who is not registered yet, whatever address was opened: the address is shown after the registration. */
export const Welcome = ({ session }: { session: SessionState }) => {
  const { t } = useTranslator();
  if (session === 'starting') {
    return (
      <Page title={t('app.name')} narrow quietTitle>
        <SkeletonRows />
      </Page>
    );
  }
  if (session === 'unreachable') return <Unreachable />;
  if (session === 'none') return <SignIn />;
  return (
    <Page title={t('register.title')} narrow>
      <Register />
      <Journey step="register" />
    </Page>
  );
};
