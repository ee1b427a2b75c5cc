import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { GearIcon, Logo } from '@florin/ui/parts/icons.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Toasts } from '@florin/ui/parts/toast.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { sessionQuery, useMay } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Enrol } from './enrol.tsx';
import { Me } from './me.tsx';
import { Menu } from './menu.tsx';
import { Palette } from './palette.tsx';
import { SignIn } from './sign-in.tsx';

/** Reports whether keys that are pressed are text that somebody types. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** `/` leads to the search from every screen. */
const useSearchKey = (isOn: boolean): void => {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const isOther = event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey;
      if (isOther || isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      const field = document.getElementById('find')?.querySelector('input');
      if (field) field.focus();
      else void navigate({ to: '/people' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn, navigate]);
};

/** Ctrl or ⌘ with K opens the palette on every screen. */
const usePaletteKey = (isOn: boolean, open: () => void): void => {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn, open]);
};

/** The frame of every screen: the bar at the top and the menu; without a session the sign-in or the invitation. */
export const Shell = () => {
  const { t } = useTranslator();
  const session = useQuery(sessionQuery);
  const may = useMay();
  const { pathname } = useLocation();
  const [isMeOpen, setMeOpen] = useState(false);
  const isIn = Boolean(session.data);
  const hasMenu = isIn && pathname !== '/enrol';
  const maySearch = isIn && may('people.read');
  useSearchKey(maySearch);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  usePaletteKey(hasMenu, openPalette);

  const screen = (): ReactNode => {
    if (pathname === '/enrol') return <Enrol />;
    if (session.isPending) return <Loading />;
    if (session.isError) return <Unreachable error={session.error} onRetry={() => void session.refetch()} />;
    return session.data === null ? <SignIn /> : <Outlet />;
  };

  return (
    <div className={hasMenu ? 'office office-in' : 'office'}>
      <header className="topbar">
        <a className="visually-hidden" href="#content">
          {t('app.skip')}
        </a>
        <Link to="/" className="brand">
          <Logo />
          {t('app.name')}
          <span className="brand-more">{t('office.title')}</span>
        </Link>
        <div className="topbar-end">
          {maySearch ? (
            <Link to="/people" className="search-link" preload={false}>
              {t('office.find')}
              <kbd title={t('office.find_key')}>/</kbd>
            </Link>
          ) : null}
          <Button kind="icon" aria-label={t('office.me')} onClick={() => setMeOpen(true)}>
            <GearIcon />
          </Button>
        </div>
      </header>
      {hasMenu ? <Menu /> : null}
      {screen()}
      <Toasts />
      {isPaletteOpen && hasMenu ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
      {isMeOpen ? <Me session={session.data ?? undefined} onClose={() => setMeOpen(false)} /> : null}
    </div>
  );
};

const Loading = () => {
  const { t } = useTranslator();
  return (
    <Page title={t('office.title')} narrow quietTitle>
      <SkeletonRows />
    </Page>
  );
};

const Unreachable = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { t } = useTranslator();
  return (
    <Page title={t('office.title')} narrow quietTitle>
      <Failure error={error} onRetry={onRetry} />
    </Page>
  );
};
