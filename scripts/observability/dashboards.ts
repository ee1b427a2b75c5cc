/** A graph of one or more queries. */
type Panel = {
  title: string;
  unit: 's' | 'reqps' | 'percentunit' | 'bytes' | 'short';
  queries: readonly (readonly [legend: string, expr: string])[];
  /** True if values may be below zero. Otherwise the scale begins there. */
  signed?: true;
};

export type Dashboard = { uid: string; title: string; panels: readonly Panel[] };

const RPCS = 'florin_rpc_server_duration_seconds';
const REQUESTS = 'florin_http_server_duration_seconds';

const quantiles = (selector: string): Panel['queries'] =>
  (['0.5', '0.95', '0.99'] as const).map((quantile) => [
    `p${Number(quantile) * 100}`,
    `histogram_quantile(${quantile}, sum by (le) (rate(${selector}[$__rate_interval])))`,
  ]);

/** The needs of every process of Node.js. */
const resources = (job: string): Panel[] => [
  {
    title: 'Processor time',
    unit: 'percentunit',
    queries: [['{{instance}}', `rate(process_cpu_seconds_total{job="${job}"}[$__rate_interval])`]],
  },
  { title: 'Memory', unit: 'bytes', queries: [['{{instance}}', `process_resident_memory_bytes{job="${job}"}`]] },
  { title: 'Delay of the event loop, p99', unit: 's', queries: [['{{instance}}', `nodejs_eventloop_lag_p99_seconds{job="${job}"}`]] },
  {
    title: 'Garbage collection',
    unit: 'percentunit',
    queries: [['{{instance}}', `sum by (instance) (rate(nodejs_gc_duration_seconds_sum{job="${job}"}[$__rate_interval]))`]],
  },
];

/** They keep and deliver what others publish, and publish nothing. */
const WITHOUT_OUTBOX: ReadonlySet<string> = new Set(['events', 'webhooks', 'settlement', 'notifications']);

/** Outboxes of a service. */
const events = (job: string): Panel => ({
  title: 'Age of the oldest event that is not published',
  unit: 's',
  queries: [['{{collection}}', `max by (collection) (florin_outbox_age_seconds{job="${job}"})`]],
});

const ledgerPanels: readonly Panel[] = [
  {
    title: 'Shards',
    unit: 'short',
    queries: [
      ['shards', 'max(florin_ledger_shards)'],
      ['owned by {{instance}}', 'florin_ledger_shards_owned'],
    ],
  },
  { title: 'Entries that wait for a block', unit: 'short', queries: [['shard {{shard}}', 'florin_journal_waiting_entries']] },
  { title: 'Blocks since the checkpoint', unit: 'short', queries: [['shard {{shard}}', 'florin_journal_blocks_since_checkpoint']] },
  {
    title: 'Entries',
    unit: 'reqps',
    queries: [
      ['entries', 'sum(rate(florin_journal_block_entries_sum[$__rate_interval]))'],
      ['blocks', 'sum(rate(florin_journal_block_entries_count[$__rate_interval]))'],
    ],
  },
  { title: 'Duration of the writes of blocks', unit: 's', queries: quantiles('florin_journal_append_seconds_bucket') },
  { title: 'Open holds', unit: 'short', queries: [['holds', 'max(florin_ledger_open_holds)']] },
  {
    title: 'System accounts',
    unit: 'short',
    signed: true,
    queries: [['{{account}} {{token}}', 'sum by (account, token) (florin_ledger_system_balance)']],
  },
];

const webhookPanels: readonly Panel[] = [
  {
    title: 'Attempts by outcome',
    unit: 'reqps',
    queries: [['{{outcome}}', 'sum by (outcome) (rate(florin_webhook_attempts_total[$__rate_interval]))']],
  },
  { title: 'Duration of attempts', unit: 's', queries: quantiles('florin_webhook_attempt_seconds_bucket') },
  {
    title: 'Age of the oldest event that waits for an endpoint that works',
    unit: 's',
    queries: [['{{instance}}', 'florin_webhook_lag_seconds']],
  },
  { title: 'Endpoints by state', unit: 'short', queries: [['{{state}}', 'sum by (state) (florin_webhook_endpoints)']] },
  { title: 'Parked subjects', unit: 'short', queries: [['{{instance}}', 'florin_webhook_parked_subjects']] },
  {
    title: 'Shards of partners',
    unit: 'short',
    queries: [
      ['shards', 'max(florin_webhook_shards)'],
      ['owned by {{instance}}', 'florin_webhook_shards_owned'],
    ],
  },
];

const notificationPanels: readonly Panel[] = [
  {
    title: 'Attempts to notify, by channel and outcome',
    unit: 'reqps',
    queries: [['{{channel}} {{outcome}}', 'sum by (channel, outcome) (rate(florin_notifications_total[$__rate_interval]))']],
  },
  {
    title: 'Time that the oldest notification is overdue',
    unit: 's',
    queries: [['overdue', 'max(florin_notifications_lag_seconds)']],
  },
  {
    title: 'Silence of the feeds',
    unit: 's',
    queries: [['{{instance}}', 'florin_notifications_feed_silence_seconds']],
  },
];

const ofService = (job: string, more: readonly Panel[] = []): Dashboard => ({
  uid: `florin-${job}`,
  title: `Florin: ${job}`,
  panels: [
    { title: 'Calls', unit: 'reqps', queries: [['{{rpc}}', `sum by (rpc) (rate(${RPCS}_count{job="${job}"}[$__rate_interval]))`]] },
    {
      title: 'Calls that did not succeed, by code',
      unit: 'reqps',
      queries: [['{{code}}', `sum by (code) (rate(${RPCS}_count{job="${job}",code!="OK"}[$__rate_interval]))`]],
    },
    { title: 'Duration', unit: 's', queries: quantiles(`${RPCS}_bucket{job="${job}"}`) },
    {
      title: 'Connections to MongoDB in use',
      unit: 'short',
      queries: [
        ['{{instance}}', `florin_mongodb_connections_in_use{job="${job}"}`],
        ['{{instance}}, waiting', `florin_mongodb_connections_waiting{job="${job}"}`],
      ],
    },
    ...(WITHOUT_OUTBOX.has(job) ? [] : [events(job)]),
    ...more,
    ...resources(job),
  ],
});

const gateway: Dashboard = {
  uid: 'florin-gateway',
  title: 'Florin: gateway',
  panels: [
    {
      title: 'Requests',
      unit: 'reqps',
      queries: [['{{route}}', `sum by (route) (rate(${REQUESTS}_count{job="gateway"}[$__rate_interval]))`]],
    },
    {
      title: 'Responses by status',
      unit: 'reqps',
      queries: [['{{status}}', `sum by (status) (rate(${REQUESTS}_count{job="gateway"}[$__rate_interval]))`]],
    },
    { title: 'Duration', unit: 's', queries: quantiles(`${REQUESTS}_bucket{job="gateway",route!="/3ds/challenges/events"}`) },
    {
      title: 'Share of failed requests',
      unit: 'percentunit',
      queries: [
        [
          'failed',
          `(sum(rate(${REQUESTS}_count{job="gateway",status=~"5.."}[$__rate_interval])) or vector(0)) / sum(rate(${REQUESTS}_count{job="gateway"}[$__rate_interval]))`,
        ],
      ],
    },
    ...resources('gateway'),
  ],
};

const succeeded = (rpc: string): string => `sum(rate(${RPCS}_count{rpc="florin.${rpc}",code="OK"}[$__rate_interval]))`;

/** Events of some types per second; `type` is a regular expression. */
const eventRate = (type: string): string => `sum by (type) (rate(florin_events_total{type=~"${type}"}[$__rate_interval]))`;

const business: Dashboard = {
  uid: 'florin-business',
  title: 'Florin: business',
  panels: [
    {
      title: 'People',
      unit: 'reqps',
      queries: [
        ['registrations', succeeded('identity.v1.UserService/RegisterUser')],
        ['cards issued', eventRate('card[.]issued')],
      ],
    },
    {
      title: 'One-time passwords that were refused, by code',
      unit: 'reqps',
      queries: [['{{code}}', `sum by (code) (rate(${RPCS}_count{job="identity",code=~".*OTP.*"}[$__rate_interval]))`]],
    },
    { title: 'Outcomes of 3-D Secure challenges', unit: 'reqps', queries: [['{{type}}', eventRate('challenge[.].+')]] },
    { title: 'Card payments', unit: 'reqps', queries: [['{{type}}', eventRate('payment[.].+')]] },
    {
      title: 'Deposits and withdrawals',
      unit: 'reqps',
      queries: [
        ['deposits', succeeded('ledger.v1.MovementService/RecordDeposit')],
        ['withdrawals', succeeded('ledger.v1.MovementService/CreateWithdrawal')],
      ],
    },
    {
      title: 'Money in flight: balances of the system accounts',
      unit: 'short',
      signed: true,
      queries: [['{{account}} {{token}}', 'sum by (account, token) (florin_ledger_system_balance)']],
    },
    { title: 'Open holds', unit: 'short', queries: [['holds', 'max(florin_ledger_open_holds)']] },
    {
      title: 'Time to decide an authorization',
      unit: 's',
      queries: quantiles(`${RPCS}_bucket{rpc="florin.card.v1.ProcessorService/Authorize"}`),
    },
  ],
};

/** One dashboard for each process, and one for the business. */
export const DASHBOARDS: readonly Dashboard[] = [
  gateway,
  ...['identity', 'card', 'threeds', 'vault', 'chain', 'events', 'settlement'].map((job) => ofService(job)),
  ofService('webhooks', webhookPanels),
  ofService('notifications', notificationPanels),
  ofService('ledger', ledgerPanels),
  business,
];
