import { PROCESS_NAMES } from '../../deploy/local/src/config.ts';

/** A rule that pages or informs an operator. Its name has a heading in docs/operations/runbooks.md. */
export type Alert = {
  name: string;
  /** PromQL; the alert fires while it has a result. */
  expr: string;
  /** How long the expression has a result before the alert fires. */
  for: string;
  /** `page`: somebody acts now. `ticket`: somebody acts this week. */
  severity: 'page' | 'ticket';
  summary: string;
};

/** A series that is computed ahead, for objectives that look back over days. */
export type Recording = { record: string; expr: string };

/** Objective: the share of requests that the platform must serve, over 30 days. */
const AVAILABILITY = 0.999;

/** Selects the series of the platform's processes. */
const ANY_PROCESS = `job=~"${PROCESS_NAMES.join('|')}"`;

const REQUESTS = 'florin_http_server_duration_seconds_count';
const REQUEST_BUCKETS = 'florin_http_server_duration_seconds_bucket';
const RPCS = 'florin_rpc_server_duration_seconds_count';
const RPC_BUCKETS = 'florin_rpc_server_duration_seconds_bucket';

/** Codes of the platform's own faults. Others are outcomes that the caller brought about. */
const FAULTS = 'INTERNAL_ERROR|SERVICE_UNAVAILABLE|UPSTREAM_TIMEOUT';

/** The objectives are about users. The back office serves requests of operators under the same metric. */
const OF_USERS = 'job="gateway"';

const errorRatio = (window: string): string =>
  `sum(rate(${REQUESTS}{${OF_USERS},status=~"5.."}[${window}])) / sum(rate(${REQUESTS}{${OF_USERS}}[${window}]))`;

const errorRatioOf = (window: string): string => `florin:http_errors:ratio_rate${window}`;

/** Windows of the burn-rate alerts. */
const WINDOWS = ['5m', '30m', '1h', '6h'] as const;

export const RECORDINGS: readonly Recording[] = WINDOWS.map((window) => ({ record: errorRatioOf(window), expr: errorRatio(window) }));

/** Burns the error budget `factor` times too fast, over a long window and still over a short one. */
const burns = (factor: number, long: (typeof WINDOWS)[number], short: (typeof WINDOWS)[number]): string => {
  const limit = Number((factor * (1 - AVAILABILITY)).toFixed(6));
  return `${errorRatioOf(long)} > ${limit} and ${errorRatioOf(short)} > ${limit}`;
};

export const ALERTS: readonly Alert[] = [
  {
    name: 'ProcessDown',
    expr: `up{${ANY_PROCESS}} == 0`,
    for: '2m',
    severity: 'ticket',
    summary: 'An instance of {{ $labels.job }} does not respond.',
  },
  {
    name: 'NoInstance',
    expr: PROCESS_NAMES.map((job) => `absent(up{job="${job}"} == 1)`).join(' or '),
    for: '1m',
    severity: 'page',
    summary: 'No instance of {{ $labels.job }} responds.',
  },
  {
    name: 'NotReady',
    expr: 'min by (job, instance) (florin_ready) == 0',
    for: '5m',
    severity: 'page',
    summary: '{{ $labels.instance }} of {{ $labels.job }} responds and takes no calls.',
  },
  {
    name: 'CertificateExpires',
    expr: 'florin_tls_certificate_expiry_timestamp_seconds - time() < 3 * 86400',
    for: '10m',
    severity: 'ticket',
    summary: 'The certificate of {{ $labels.instance }} of {{ $labels.job }} expires within three days.',
  },
  {
    name: 'ErrorBudgetBurnsFast',
    expr: burns(14.4, '1h', '5m'),
    for: '2m',
    severity: 'page',
    summary: 'At this rate of failed requests, the budget of 30 days is used up in two days.',
  },
  {
    name: 'ErrorBudgetBurns',
    expr: burns(6, '6h', '30m'),
    for: '15m',
    severity: 'ticket',
    summary: 'At this rate of failed requests, the budget of 30 days is used up in five days.',
  },
  {
    name: 'RequestsSlow',
    // Streams of events last as long as their clients stay.
    expr: `histogram_quantile(0.99, sum by (le) (rate(${REQUEST_BUCKETS}{${OF_USERS},route!="/3ds/challenges/events"}[10m]))) > 1`,
    for: '10m',
    severity: 'ticket',
    summary: 'One request in a hundred takes longer than a second.',
  },
  {
    name: 'RpcFaults',
    expr: `sum by (job) (rate(${RPCS}{code=~"${FAULTS}"}[5m])) / sum by (job) (rate(${RPCS}[5m])) > 0.01`,
    for: '5m',
    severity: 'page',
    summary: 'More than one call in a hundred to {{ $labels.job }} fails.',
  },
  {
    name: 'AuthorizationsSlow',
    expr: `histogram_quantile(0.99, sum by (le) (rate(${RPC_BUCKETS}{rpc="florin.card.v1.ProcessorService/Authorize"}[5m]))) > 1`,
    for: '5m',
    severity: 'page',
    summary: 'One card payment in a hundred takes longer than a second to be decided; networks wait for two.',
  },
  {
    name: 'AuthenticationsRejected',
    expr: `sum by (job) (rate(${RPCS}{code="UNAUTHORIZED"}[5m])) / sum by (job) (rate(${RPCS}[5m])) > 0.2`,
    for: '10m',
    severity: 'ticket',
    summary: 'One call in five to {{ $labels.job }} has no valid token.',
  },
  {
    name: 'EventLoopLag',
    expr: `nodejs_eventloop_lag_p99_seconds{${ANY_PROCESS}} > 0.25`,
    for: '5m',
    severity: 'ticket',
    summary: '{{ $labels.job }} has more work than one processor can do.',
  },
  {
    name: 'DatabaseConnectionsExhausted',
    expr: 'increase(florin_mongodb_check_out_failures_total[5m]) > 0',
    for: '2m',
    severity: 'page',
    summary: 'Calls to {{ $labels.job }} get no connection to MongoDB in time.',
  },
  {
    name: 'EventsDelayed',
    expr: 'max by (job, collection) (florin_outbox_age_seconds) > 60',
    for: '5m',
    severity: 'ticket',
    summary: 'Events of {{ $labels.collection }} of {{ $labels.job }} are not published.',
  },
  {
    name: 'NotificationsDelayed',
    expr: 'max(florin_notifications_lag_seconds) > 60 or min(florin_notifications_feed_silence_seconds) > 60',
    for: '5m',
    severity: 'ticket',
    summary: 'People are notified more than a minute late, or not at all.',
  },
  {
    name: 'WebhooksDelayed',
    expr: 'max(florin_webhook_lag_seconds) > 60',
    for: '5m',
    severity: 'ticket',
    summary: 'Endpoints that work get their events more than a minute late.',
  },
  {
    name: 'WebhooksPostponed',
    expr: 'sum(rate(florin_webhook_attempts_total{outcome="postponed"}[5m])) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'Deliveries cannot be made for a reason of the platform: a secret, a key or an event cannot be read.',
  },
  {
    name: 'WebhooksFail',
    expr: 'sum(florin_webhook_endpoints{state=~"failing|down"}) / sum(florin_webhook_endpoints{state=~"working|failing|down"}) > 0.5',
    for: '10m',
    severity: 'ticket',
    summary: 'Deliveries to more than half of the endpoints fail: rather the way out than the receivers.',
  },
  {
    name: 'WebhookShardWithoutOwner',
    expr: 'max(florin_webhook_shards) - sum(florin_webhook_shards_owned) > 0',
    for: '2m',
    severity: 'page',
    summary: 'Nobody delivers to the partners of a shard.',
  },
  {
    name: 'ShardWithoutOwner',
    expr: 'max(florin_ledger_shards) - sum(florin_ledger_shards_owned) > 0',
    for: '1m',
    severity: 'page',
    summary: 'Accounts of a shard of the ledger have no balances and take no entries.',
  },
  {
    name: 'JournalBacklog',
    expr: 'max by (shard) (florin_journal_waiting_entries) > 1000',
    for: '2m',
    severity: 'page',
    summary: 'More entries arrive at shard {{ $labels.shard }} than its journal takes.',
  },
  {
    name: 'CheckpointStands',
    // While it is stored every few seconds the number falls again and again, under any load.
    expr: 'min_over_time(florin_journal_blocks_since_checkpoint[15m]) > 0 and resets(florin_journal_blocks_since_checkpoint[15m]) == 0',
    for: '5m',
    severity: 'ticket',
    summary: 'The balances of shard {{ $labels.shard }} are not stored: its next start replays more and more blocks.',
  },
  {
    name: 'JournalUnread',
    expr: 'max(florin_journal_shards_unread) > 0',
    for: '5m',
    severity: 'page',
    summary: 'Money events of a shard of the journal are not told: an entry is of a kind that no running instance of events knows.',
  },
  {
    name: 'ChallengesFail',
    expr: 'sum(rate(florin_events_total{type="challenge.failed"}[15m])) / sum(rate(florin_events_total{type="challenge.created"}[15m])) > 0.05',
    for: '5m',
    severity: 'ticket',
    summary: 'One challenge in twenty fails after its decision.',
  },
  {
    name: 'OneTimePasswordsRefused',
    expr: `sum(rate(${RPCS}{code=~"INVALID_OTP|OTP_EXPIRED|OTP_ATTEMPTS_EXCEEDED"}[15m])) / sum(rate(${RPCS}{rpc="florin.identity.v1.UserService/RegisterUser"}[15m])) > 0.5`,
    for: '15m',
    severity: 'ticket',
    summary: 'More than half of the registrations fail because of their one-time password.',
  },
  {
    name: 'ProcessRestarts',
    expr: `changes(process_start_time_seconds{${ANY_PROCESS}}[30m]) > 2`,
    for: '0m',
    severity: 'ticket',
    summary: 'An instance of {{ $labels.job }} has restarted three times within half an hour.',
  },
  {
    name: 'RatesOld',
    expr: 'time() - max by (job) (florin_ecb_rates_timestamp_seconds) > 6 * 86400',
    for: '10m',
    severity: 'ticket',
    summary: 'The exchange rates of {{ $labels.job }} are older than six days; payments in other currencies will be declined.',
  },
  {
    name: 'ChainHalted',
    expr: 'max(florin_chain_watches_halted) > 0',
    for: '0m',
    severity: 'page',
    summary: 'A finalized block was replaced: nothing more is booked on that chain until an operator decides.',
  },
  {
    name: 'ChainWaits',
    expr: 'max(florin_chain_watches_waiting) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'Deposits of a chain are not booked: its nodes or the ledger do not respond, or the nodes disagree.',
  },
  {
    name: 'WithdrawalStuck',
    expr: 'max(florin_chain_withdrawals_stuck) > 0',
    for: '5m',
    severity: 'ticket',
    summary: 'The money of a withdrawal is set aside, and no transaction carries it out.',
  },
  {
    name: 'RecoveryStuck',
    expr: 'max(florin_chain_recoveries_stuck) > 0',
    for: '5m',
    severity: 'page',
    summary: 'A signed step of a recovery is not carried out: a thief of the lost key may leave before the exchange.',
  },
  {
    name: 'RelayerLow',
    expr: 'min by (relayer, chain) (florin_chain_relayer_balance) < 1',
    for: '15m',
    severity: 'ticket',
    summary:
      'The relayer {{ $labels.relayer }} has less than one coin on chain {{ $labels.chain }}: soon it pays for no set-up and no withdrawal.',
  },
  {
    name: 'RelayerJobsLeft',
    expr: 'max(florin_chain_relayer_jobs_left) > 0',
    for: '15m',
    severity: 'ticket',
    summary: 'Transactions of a relayer whose key was taken out of the configuration are not mined.',
  },
  {
    name: 'CollectingFails',
    expr: 'max(florin_chain_movements_failing) > 0',
    for: '15m',
    severity: 'ticket',
    summary:
      'Tokens cannot be moved between a Safe and the treasury: its issuer has frozen one of the two, the treasury has not approved the Collector, or the relayer as its operator, or it lacks what is to be returned.',
  },
  {
    name: 'BooksDiffer',
    expr: 'max(florin_settlement_report_differences) > 0',
    for: '15m',
    severity: 'ticket',
    summary: 'The last report of settlement names differences between network, ledger and chain.',
  },
  {
    name: 'ReportOverdue',
    expr: 'max(florin_settlement_report_age_seconds) > 216000',
    for: '15m',
    severity: 'ticket',
    summary: 'Settlement has reported no day for two and a half days, or never: nobody knows whether the books agree.',
  },
  {
    name: 'ChainUnseen',
    // An instance that does not reach the database has less left.
    expr: 'max by (chain) (florin_ledger_chain_seconds_left) < 0',
    for: '1m',
    severity: 'page',
    summary: 'Nobody has looked for changes of control on chain {{ $labels.chain }} for too long: its tokens cannot be spent.',
  },
  {
    name: 'SafeChanged',
    expr: 'max(florin_chain_safe_changes_open) > 0',
    for: '0m',
    severity: 'page',
    summary:
      'The control of a Safe changed, or is about to, or the issuer of a token has used its powers: the account or the token is blocked.',
  },
  {
    name: 'BalancesDiffer',
    expr: 'max(florin_chain_balance_differences) > 0',
    for: '1m',
    severity: 'page',
    summary: 'The balance of a Safe on the chain differs from the ledger.',
  },
];
