import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery, pagesOf, partnerPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { WebhookAttempt, WebhookAttempts, WebhookEndpoint } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';

const pathOf = ({ partnerId, id }: WebhookEndpoint): string => `${partnerPath(partnerId)}/endpoints/${encodeURIComponent(id)}`;

/** Reports whether a receiver took an event. */
const isTaken = ({ httpStatus, failure }: WebhookAttempt): boolean => failure === '' && httpStatus >= 200 && httpStatus < 300;

/** The queries of an endpoint's screen that are read anew after an order. */
const touchedBy = ({ id, partnerId }: WebhookEndpoint) => [
  ['attempts', id],
  ['partners', partnerId],
];

/** Orders that everything after a place in the feed is delivered again. */
const Replay = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const { t } = useTranslator();
  const [isAsked, setIsAsked] = useState(false);
  const [after, setAfter] = useState('');
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>{t('hooks.replay_all')}</Button>
      {isAsked ? (
        <ActionDialog
          title={t('hooks.replay_all_title')}
          lead={t('hooks.replay_all_lead')}
          action={t('hooks.replay')}
          path={`${pathOf(endpoint)}/replay`}
          body={{ after: after.trim() }}
          touches={touchedBy(endpoint)}
          done={t('hooks.replay_all_done')}
          onClose={() => setIsAsked(false)}
        >
          <TextField
            label={t('hooks.after')}
            hint={t('hooks.after_hint')}
            value={after}
            onChange={setAfter}
            autoComplete="off"
            spellCheck={false}
          />
        </ActionDialog>
      ) : null}
    </>
  );
};

const Attempts = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const { t, locale } = useTranslator();
  const may = useMay();
  const attempts = useInfiniteQuery(pagesOf<WebhookAttempts>(['attempts', endpoint.id], `${pathOf(endpoint)}/attempts`));
  const [asked, setAsked] = useState<string>();
  return (
    <section className="panel">
      <div className="list-head">
        <h2>{t('hooks.attempts_of', { url: endpoint.url })}</h2>
        <div className="actions">
          {may('webhooks.replay') ? <Replay endpoint={endpoint} /> : null}
          <Orders endpoint={endpoint} />
        </div>
      </div>
      <PagedTable
        caption={t('hooks.attempts')}
        query={attempts}
        rowsOf={(answer) => answer.attempts}
        keyOf={({ id }) => id}
        none={t('hooks.no_attempts')}
        columns={[
          { head: t('office.time'), cell: ({ at }) => <Time at={at} look="short" /> },
          { head: t('hooks.event'), cell: ({ eventType }) => <span className="mono">{eventType}</span> },
          { head: t('hooks.number'), end: true, cell: ({ sequence }) => <span className="numbers">{sequence}</span> },
          { head: t('office.status'), cell: (attempt) => <State of={isTaken(attempt) ? 'completed' : 'failed'} /> },
          { head: t('hooks.answer'), cell: ({ httpStatus, failure }) => <span className="mono">{failure || httpStatus}</span> },
          {
            head: t('hooks.took'),
            end: true,
            cell: ({ durationMs }) => (
              <span className="numbers">{new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }).format(durationMs)}</span>
            ),
          },
          ...(may('webhooks.replay')
            ? [
                {
                  head: ' ',
                  end: true,
                  cell: ({ sequence }: WebhookAttempt) => (
                    <Button small onClick={() => setAsked(sequence)}>
                      {t('hooks.replay')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {asked === undefined ? null : (
        <ActionDialog
          title={t('hooks.replay_title', { number: asked })}
          lead={t('hooks.replay_lead')}
          action={t('hooks.replay')}
          path={`${pathOf(endpoint)}/redeliver`}
          body={{ sequence: asked }}
          touches={touchedBy(endpoint)}
          done={t('hooks.replay_done')}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
};

/** Creates an endpoint, whose secret is shown once. */
const Create = ({ partnerId }: { partnerId: string }) => {
  const { t } = useTranslator();
  const [isAsked, setIsAsked] = useState(false);
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState('');
  const [contactEmail, setContactEmail] = useState('');
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>{t('hooks.create')}</Button>
      {isAsked ? (
        <ActionDialog
          title={t('hooks.create_title', { partner: partnerId })}
          lead={t('hooks.create_lead')}
          action={t('hooks.create')}
          path={`${partnerPath(partnerId)}/endpoints`}
          body={{ url: url.trim(), types: types.split(/[\s,]+/).filter((type) => type !== ''), contactEmail: contactEmail.trim() }}
          confirms={t('partners.confirms')}
          touches={[['partners', partnerId]]}
          done={t('hooks.created')}
          onClose={() => setIsAsked(false)}
        >
          <TextField label={t('hooks.url')} type="url" value={url} onChange={setUrl} autoComplete="off" maxLength={2000} required />
          <TextField
            label={t('hooks.types')}
            hint={t('hooks.types_hint')}
            value={types}
            onChange={setTypes}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            label={t('hooks.contact')}
            hint={t('hooks.contact_hint')}
            type="email"
            value={contactEmail}
            onChange={setContactEmail}
            autoComplete="off"
            maxLength={254}
          />
        </ActionDialog>
      ) : null}
    </>
  );
};

type Order = 'test' | 'rotate-secret' | 'disable' | 'enable' | 'delete';

/** What can be done with an endpoint, each with a reason. */
const Orders = ({ endpoint }: { endpoint: WebhookEndpoint }) => {
  const { t } = useTranslator();
  const may = useMay();
  const [asked, setAsked] = useState<Order>();
  const managing: readonly Order[] = ['rotate-secret', endpoint.status === 'enabled' ? 'disable' : 'enable', 'delete'];
  const orders = [...(may('webhooks.replay') ? (['test'] as const) : []), ...(may('partners.manage') ? managing : [])];
  return (
    <>
      {orders.map((order) => (
        <Button key={order} small onClick={() => setAsked(order)}>
          {t(`hooks.${order}`)}
        </Button>
      ))}
      {asked === undefined ? null : (
        <ActionDialog
          title={t(`hooks.${asked}_title`, { url: endpoint.url })}
          lead={t(`hooks.${asked}_lead`)}
          action={t(`hooks.${asked}`)}
          danger={asked === 'delete' || asked === 'disable'}
          path={`${pathOf(endpoint)}/${asked}`}
          {...(asked === 'test' ? {} : { confirms: t('partners.confirms') })}
          // A deleted endpoint has no attempts to read.
          touches={touchedBy(endpoint).filter(([query]) => asked !== 'delete' || query !== 'attempts')}
          done={t(`hooks.${asked}_done`)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
};

/** Where a partner's events are delivered to, and how that went. */
export const Endpoints = ({ partnerId, chosen }: { partnerId: string; chosen: string | undefined }) => {
  const { t } = useTranslator();
  const may = useMay();
  const endpoints = useQuery(endpointsQuery(partnerId));
  const navigate = useNavigate();
  const shown = endpoints.data?.endpoints.find(({ id }) => id === chosen);
  return (
    <>
      <section className="panel">
        <div className="list-head">
          <h2>{t('hooks.title')}</h2>
          {may('partners.manage') ? <Create partnerId={partnerId} /> : null}
        </div>
        {endpoints.isPending ? <SkeletonRows rows={2} /> : null}
        <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />
        {endpoints.data?.endpoints.length === 0 ? <p className="soft">{t('hooks.none')}</p> : null}
        {endpoints.data === undefined || endpoints.data.endpoints.length === 0 ? null : (
          <Table
            caption={t('hooks.title')}
            rows={endpoints.data.endpoints}
            keyOf={({ id }) => id}
            columns={[
              { head: t('hooks.endpoint'), cell: ({ url }) => <span className="mono wrap">{url}</span> },
              { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
              { head: t('hooks.parked'), end: true, cell: ({ parkedSubjects }) => <span className="numbers">{parkedSubjects}</span> },
              {
                head: t('hooks.last_success'),
                cell: ({ lastSuccessAt }) => (lastSuccessAt === undefined ? '–' : <Time at={lastSuccessAt} look="short" />),
              },
              {
                head: t('hooks.failing_since'),
                cell: ({ failingSince }) => (failingSince === undefined ? '–' : <Time at={failingSince} look="short" />),
              },
              {
                head: ' ',
                end: true,
                cell: ({ id }) => (
                  <Button small onClick={() => void navigate({ to: '/partners', search: { partner: partnerId, endpoint: id } })}>
                    {t('hooks.attempts')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </section>
      {shown === undefined ? null : <Attempts key={shown.id} endpoint={shown} />}
    </>
  );
};
