import { Button } from '@florin/ui/parts/button.tsx';
import { AccountIcon, CardIcon, FlaskIcon, GearIcon, HomeIcon, ListIcon, Logo, ShieldIcon } from '@florin/ui/parts/icons.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { Toasts } from '@florin/ui/parts/toast.tsx';
import { Outlet, useSearch } from '@tanstack/react-router';
import { Suspense, startTransition, useCallback, useState } from 'react';
import { update, useIsUpdateWaiting } from '../api/app-update.ts';
import { useIsLive, useLive } from '../api/live.ts';
import { useSession } from '../api/session.ts';
import { isSandbox } from '../environment.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { LANGUAGES } from '../i18n/load-texts.ts';
import { Approval, OutsideWorld, Preferences } from './above.ts';
import { useOpenApproval } from './approve/use-open-approval.ts';
import { Welcome } from './next/welcome.tsx';

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
        <ScreenLink key={to} to={to} search={{}} activeOptions={{ exact, includeSearch: false }}>
          <Icon />
          {text}
        </ScreenLink>
      ))}
    </nav>
  );
};

type Opened = 'preferences' | 'sandbox' | undefined;

/** The frame of every screen: the bar at the top, the menu, and what lies above a screen. */
export const Shell = () => {
  const { t } = useTranslator();
  const session = useSession();
  const isLive = useIsLive();
  const isUpdateWaiting = useIsUpdateWaiting();
  const openApproval = useOpenApproval();
  const { approve } = useSearch({ from: '__root__' });
  const [opened, setOpened] = useState<Opened>();
  const open = (what: Opened) => startTransition(() => setOpened(what));
  const isUser = session === 'user';

  const showApproval = useCallback(
    async (challengeId: string) => {
      // Drawn before its file is there, it would come with the pause that React makes after a fallback.
      await Approval.preload().catch(() => undefined);
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
        <ScreenLink to="/" search={{}} className="brand">
          <Logo />
          {t('app.name')}
        </ScreenLink>
        <div className="topbar-end">
          {isSandbox ? (
            <Button small onClick={() => open('sandbox')}>
              <FlaskIcon />
              {t('sandbox.open')}
            </Button>
          ) : null}
          <Button kind="icon" aria-label={`${t('app.language')}, ${t('app.theme')}`} onClick={() => open('preferences')}>
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
      {isUpdateWaiting ? (
        <p className="offline update" role="status">
          {t('app.update')}{' '}
          <Button small onClick={update}>
            {t('app.update_do')}
          </Button>
        </p>
      ) : null}
      <Toasts />
      <Suspense>
        {opened === 'preferences' ? <Preferences languages={LANGUAGES} onClose={() => setOpened(undefined)} /> : null}
        {opened === 'sandbox' ? <OutsideWorld onClose={() => setOpened(undefined)} /> : null}
        {isUser && approve !== undefined ? <Approval key={approve} challengeId={approve} /> : null}
      </Suspense>
    </div>
  );
};
