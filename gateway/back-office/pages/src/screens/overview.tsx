import type { Overview } from '@florin/back-office/contract';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime, Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { overviewQuery } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Screen } from '../parts/screen.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { QueuesTable } from './queues/queues.tsx';
import { Verdict } from './settlement/verdict.tsx';
import { TrendsOfDays } from './trends.tsx';

type FigureProps = {
  title: string /** Unknown when its part did not answer. */;
  count: number | undefined;
  unit: string;
  children?: ReactNode;
};

/** A number with what it counts, and what else is worth knowing of it. */
const Figure = ({ title, count, unit, children }: FigureProps) => {
  const { locale } = useTranslator();
  return (
    <section className="panel figure">
      <h2>{title}</h2>
      <p>
        <span className="figure-count numbers">{count === undefined ? '–' : new Intl.NumberFormat(locale).format(count)}</span>{' '}
        <span className="soft">{unit}</span>
      </p>
      {count === undefined ? null : <div className="soft small">{children}</div>}
    </section>
  );
};

const SystemMoney = ({ of }: { of: Overview['money'] }) => {
  const { t, word } = useTranslator();
  return (
    <section className="panel">
      <h2>{t('overview.money')}</h2>
      {of.length === 0 ? <p className="soft">{t('overview.no_money')}</p> : null}
      {of.length === 0 ? null : <p className="soft small">{t('overview.sign')}</p>}
      {of.length === 0 ? null : (
        <Table
          caption={t('overview.money')}
          rows={of}
          keyOf={({ account, balance }) => `${account} ${balance.token}`}
          columns={[
            { head: t('overview.account'), cell: ({ account }) => <span title={account}>{word('system.', account)}</span> },
            { head: t('overview.token'), cell: ({ balance }) => balance.token },
            {
              head: t('overview.balance'),
              end: true,
              cell: ({ balance }) => <Money {...balance} />,
            },
          ]}
        />
      )}
    </section>
  );
};

/** How far the books are closed, and the newest proof of reserves. What differs is in the queues. */
const Books = ({ of: { closedDay, lastReport, reservesAt } }: { of: Overview }) => {
  const { t } = useTranslator();
  const may = useMay();
  const closed = closedDay ?? t('settlement.none_closed');
  return (
    <section className="panel">
      <h2>{t('overview.books')}</h2>
      <Facts
        facts={[
          [
            t('overview.closed_day'),
            may('money.read') ? (
              <Link key="day" to="/settlement" search={closedDay === undefined ? {} : { day: closedDay }} preload={false}>
                {closed}
              </Link>
            ) : (
              closed
            ),
          ],
          [t('report.last'), lastReport === undefined ? t('report.none') : <Verdict key="report" of={lastReport} />],
          [
            t('overview.reserves_at'),
            <Link key="reserves" to="/reserves" preload={false}>
              {reservesAt === undefined ? t('reserves.none') : <Time at={reservesAt} look="short" />}
            </Link>,
          ],
        ]}
      />
    </section>
  );
};

/** The objectives that are missed now, as the alerts of Prometheus state them. */
const Objectives = ({ of }: { of: NonNullable<Overview['alerts']> }) => {
  const { t, word } = useTranslator();
  if (of.length === 0) return <p className="soft">{t('overview.objectives_met')}</p>;
  return (
    <ul className="rows">
      {of.map(({ name, severity, summary, since }) => (
        <li key={`${name} ${summary}`} className="service">
          <span>
            <span className="mono">{name}</span> <span className="soft small">{summary}</span>
          </span>
          <span className="soft small">
            <Badge tone={severity === 'page' ? 'bad' : 'warn'}>{word('overview.', severity)}</Badge> <Time at={since} look="short" />
          </span>
        </li>
      ))}
    </ul>
  );
};

const Services = ({ of: { services, alerts, unavailable } }: { of: Overview }) => {
  const { t } = useTranslator();
  return (
    <section className="panel">
      <h2>{t('overview.services')}</h2>
      <ul className="rows">
        {services.map(({ name, status }) => {
          const isMissed = alerts?.some(({ service }) => service === name) === true;
          return (
            <li key={name} className="service">
              <span className="mono">{name}</span>
              <span>
                {isMissed ? <Badge tone="warn">{t('overview.objective_missed')}</Badge> : null} <State of={status} />
              </span>
            </li>
          );
        })}
      </ul>
      <h3>{t('overview.alerts')}</h3>
      {alerts === undefined ? (
        <p className="soft">{t(unavailable.includes('alerts') ? 'trends.unavailable' : 'overview.no_prometheus')}</p>
      ) : (
        <Objectives of={alerts} />
      )}
    </section>
  );
};

const Figures = ({ of }: { of: Overview }) => {
  const { t, word } = useTranslator();
  const told = (part: string, count: number): number | undefined => (of.unavailable.includes(part) ? undefined : count);
  return (
    <>
      {of.unavailable.length === 0 ? null : (
        <div className="notice notice-warn">
          <h2>{t('overview.unavailable')}</h2>
          <p>{t('overview.unavailable_hint', { parts: of.unavailable.map((part) => word('overview.', part)).join(', ') })}</p>
        </div>
      )}
      <div className="figures">
        <Figure title={t('overview.people')} count={told('people', of.people.registered)} unit={t('overview.registered')}>
          <p>{t('overview.last_day', { count: of.people.registeredLastDay })}</p>
          <p>{t('overview.last_week', { count: of.people.registeredLastWeek })}</p>
        </Figure>
        <Figure title={t('overview.cards')} count={told('cards', of.cards.active)} unit={t('overview.active')}>
          <p>{t('overview.frozen', { count: of.cards.frozen })}</p>
        </Figure>
      </div>
      <div className="columns">
        <div>
          <SystemMoney of={of.money} />
        </div>
        <div>
          <Services of={of} />
          <Books of={of} />
        </div>
      </div>
    </>
  );
};

/** The program in figures, as the services tell them now. */
export const OverviewScreen = () => {
  const { t, locale } = useTranslator();
  const may = useMay();
  const overview = useQuery({ ...overviewQuery, enabled: may('overview.read') });
  return (
    <Screen
      title={t('overview.title')}
      needs="overview.read"
      action={
        overview.data ? (
          <span className="soft small">{t('overview.as_of', { time: formatTime(overview.data.at, locale, 'short') })}</span>
        ) : undefined
      }
    >
      {overview.isPending ? <SkeletonRows rows={6} /> : null}
      <Failure error={overview.error} onRetry={() => void overview.refetch()} />
      {overview.data ? <Figures of={overview.data} /> : null}
      <QueuesTable />
      <TrendsOfDays />
    </Screen>
  );
};
