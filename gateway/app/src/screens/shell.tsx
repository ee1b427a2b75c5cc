import { Button } from '@florin/ui/parts/button.tsx';
import { AccountIcon, CardIcon, FlaskIcon, GearIcon, HomeIcon, ListIcon, Logo, ShieldIcon } from '@florin/ui/parts/icons.tsx';
import { Preferences } from '@florin/ui/parts/preferences.tsx';
import { Toasts } from '@florin/ui/parts/toast.tsx';
import { Link, Outlet, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useIsLive, useLive } from '../api/live.ts';
import { useSession } from '../api/session.ts';
import { isSandbox } from '../environment.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { useOpenApproval } from './approve/use-open-approval.ts';
import { Welcome } from './next/welcome.tsx';

const Approval = lazy(async () => ({ default: (await import('./approve/approval.tsx')).Approval }));
const OutsideWorld = lazy(async () => ({ default: (await import('./sandbox/outside-world.tsx')).OutsideWorld }));

const Tabs = () => {
  const { t } = useTranslator();
  const tabs = [
    { to: '/', text: t('nav.home'), Icon: HomeIcon, exact: true },
    { to: '/cards', text: t('nav.cards'), Icon: CardIcon, exact: false },
    { to: '/payments', text: t('nav.payments'), Icon: ListIcon, exact: false },
    { to: '/account', text: t('nav.account'), Icon: AccountIcon, exact: false },
    { to: '/security', text: t('nav.security'), Icon: ShieldIcon, exact: false },
  ] as const;
  return (
    <nav className="tabs" aria-label={t('nav.label')}>
      {tabs.map(({ to, text, Icon, exact }) => (
        <Link key={to} to={to} search={{}} activeOptions={{ exact, includeSearch: false }}>
          <Icon />
          {text}
        </Link>
      ))}
    </nav>
  );
};

type Opened = 'preferences' | 'sandbox' | undefined;

/** What surrounds every screen: the bar at the top, the menu, and what lies above a screen. */
export const Shell = () => {
  const { t } = useTranslator();
  const session = useSession();
  const isLive = useIsLive();
  const openApproval = useOpenApproval();
  const { approve } = useSearch({ from: '__root__' });
  const [opened, setOpened] = useState<Opened>();
  const isUser = session === 'user';

  const showApproval = useCallback(
    (challengeId: string) => {
      setOpened(undefined);
      openApproval(challengeId);
    },
    [openApproval],
  );
  useLive(isUser, showApproval);

  return (
    <div className={isUser ? 'shell shell-signed-in' : 'shell'}>
      <header className="topbar">
        <a className="visually-hidden" href="#content">
          {t('app.skip')}
        </a>
        <Link to="/" search={{}} className="brand">
          <Logo />
          {t('app.name')}
        </Link>
        <div className="topbar-end">
          {isSandbox ? (
            <Button small onClick={() => setOpened('sandbox')}>
              <FlaskIcon />
              {t('sandbox.open')}
            </Button>
          ) : null}
          <Button kind="icon" aria-label={`${t('app.language')}, ${t('app.theme')}`} onClick={() => setOpened('preferences')}>
            <GearIcon />
          </Button>
        </div>
      </header>
      {isUser ? <Tabs /> : null}
      {isUser ? <Outlet /> : <Welcome session={session} />}
      {isUser && !isLive ? (
        <p className="offline" role="status">
          {t('app.offline')}
        </p>
      ) : null}
      <Toasts />
      {opened === 'preferences' ? <Preferences onClose={() => setOpened(undefined)} /> : null}
      <Suspense>
        {opened === 'sandbox' ? <OutsideWorld onClose={() => setOpened(undefined)} /> : null}
        {isUser && approve !== undefined ? <Approval key={approve} challengeId={approve} /> : null}
      </Suspense>
    </div>
  );
};
