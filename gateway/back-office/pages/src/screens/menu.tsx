import type { Queue } from '@florin/back-office/contract';
import { QUEUE_NAMES, QUEUES } from '@florin/back-office/contract/queue-names';
import {
  AccountIcon,
  BookIcon,
  GearIcon,
  HomeIcon,
  LinkIcon,
  ListIcon,
  LogIcon,
  PartnersIcon,
  PeopleIcon,
  WalletIcon,
  WarningIcon,
} from '@florin/ui/parts/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { queueCountsQuery } from '../api/queries.ts';
import { type Permission, useMay } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Counted } from '../parts/counted.tsx';
import { useCurrentInView } from '../parts/use-current-in-view.ts';

/** The screens for the operator who is signed in, with what waits in their queues. */
export const useScreens = () => {
  const { t } = useTranslator();
  const may = useMay();
  const { data: waiting } = useQuery({ ...queueCountsQuery, enabled: may('overview.read') });
  /** How much waits in some queues, of those that this operator works on. */
  const count = (...names: readonly Queue[]): number =>
    (waiting?.queues ?? []).reduce((sum, one) => (names.includes(one.queue) && may(QUEUES[one.queue].access) ? sum + one.count : sum), 0);
  const screens = [
    { to: '/', text: t('office.overview'), Icon: HomeIcon, needs: 'overview.read', exact: true },
    { to: '/queues', text: t('office.queues'), Icon: ListIcon, needs: 'overview.read', exact: false, count: count(...QUEUE_NAMES) },
    { to: '/people', text: t('office.people'), Icon: PeopleIcon, needs: 'people.read', exact: false },
    { to: '/money', text: t('office.money'), Icon: WalletIcon, needs: 'money.read', exact: false, count: count('orders') },
    {
      to: '/exceptions',
      text: t('office.exceptions'),
      Icon: WarningIcon,
      needs: 'money.read',
      exact: false,
      count: count('exceptions', 'settlement'),
    },
    { to: '/settlement', text: t('office.settlement'), Icon: BookIcon, needs: 'money.read', exact: false },
    { to: '/reserves', text: t('office.reserves'), Icon: AccountIcon, needs: 'overview.read', exact: false },
    { to: '/chain', text: t('office.chain'), Icon: LinkIcon, needs: 'chain.read', exact: false, count: count('transfers') },
    { to: '/partners', text: t('office.partners'), Icon: PartnersIcon, needs: 'partners.read', exact: false, count: count('webhooks') },
    { to: '/operators', text: t('office.operators'), Icon: GearIcon, needs: 'operators.manage', exact: false },
    { to: '/audit', text: t('office.audit'), Icon: LogIcon, needs: 'audit.read', exact: false },
  ] as const satisfies readonly { needs: Permission; count?: number; [more: string]: unknown }[];
  // Who works on no queue sees their counts in the overview.
  return screens.filter(({ to, needs }) => may(needs) && (to !== '/queues' || QUEUE_NAMES.some((queue) => may(QUEUES[queue].access))));
};

export const Menu = () => {
  const { t } = useTranslator();
  const row = useCurrentInView();
  const id = useId();
  const screens = useScreens();
  return (
    <nav ref={row} className="menu" aria-label={t('office.menu')}>
      {screens.map(({ to, text, Icon, exact, ...more }) => (
        <Link
          key={to}
          to={to}
          search={{}}
          activeOptions={{ exact, includeSearch: false }}
          preload={false}
          aria-describedby={'count' in more && more.count > 0 ? `${id}${to}` : undefined}
        >
          <Icon />
          {text}
          {'count' in more && more.count > 0 ? (
            <>
              <span aria-hidden="true" className="soft small">
                <Counted of={more.count} />
              </span>
              {/* It describes the link, whose name stays the screen's. */}
              <span id={`${id}${to}`} hidden>
                {t('queues.waiting', { count: more.count })}
              </span>
            </>
          ) : null}
        </Link>
      ))}
    </nav>
  );
};
