import { AccountIcon, GearIcon, HomeIcon, ListIcon, OutIcon, ShieldIcon, WalletIcon } from '@florin/ui/parts/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { overviewQuery } from '../api/queries.ts';
import { type Permission, useMay } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { useCurrentInView } from '../parts/use-current-in-view.ts';

/** The screens for the operator who is signed in. */
export const Menu = () => {
  const { t } = useTranslator();
  const may = useMay();
  const row = useCurrentInView();
  const { data: waiting } = useQuery({ ...overviewQuery, enabled: may('overview.read') });
  const screens = [
    { to: '/', text: t('office.overview'), Icon: HomeIcon, needs: 'overview.read', exact: true },
    { to: '/people', text: t('office.people'), Icon: AccountIcon, needs: 'people.read', exact: false },
    { to: '/money', text: t('office.money'), Icon: WalletIcon, needs: 'money.read', exact: false, count: waiting?.pendingAdjustments },
    {
      to: '/exceptions',
      text: t('office.exceptions'),
      Icon: ListIcon,
      needs: 'money.read',
      exact: false,
      count: waiting?.openCardExceptions,
    },
    { to: '/settlement', text: t('office.settlement'), Icon: WalletIcon, needs: 'money.read', exact: false },
    { to: '/chain', text: t('office.chain'), Icon: ListIcon, needs: 'chain.read', exact: false, count: waiting?.openExceptions },
    { to: '/webhooks', text: t('office.webhooks'), Icon: OutIcon, needs: 'webhooks.replay', exact: false },
    { to: '/operators', text: t('office.operators'), Icon: GearIcon, needs: 'operators.manage', exact: false },
    { to: '/audit', text: t('office.audit'), Icon: ShieldIcon, needs: 'audit.read', exact: false },
  ] as const satisfies readonly { needs: Permission; count?: number | undefined; [more: string]: unknown }[];
  return (
    <nav ref={row} className="menu" aria-label={t('office.menu')}>
      {screens
        .filter(({ needs }) => may(needs))
        .map(({ to, text, Icon, exact, ...more }) => (
          <Link key={to} to={to} search={{}} activeOptions={{ exact, includeSearch: false }} preload={false}>
            <Icon />
            {text}
            {'count' in more && more.count !== undefined && more.count > 0 ? (
              <span aria-hidden="true" className="numbers soft small">
                {more.count}
              </span>
            ) : null}
          </Link>
        ))}
    </nav>
  );
};
