import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { PROCESS_NAMES } from '../../deploy/local/src/config.ts';
import { run } from '../run.ts';
import { ALERTS } from './alerts.ts';
import { findPrometheus } from './find-prometheus.ts';
import { queriedExpressions } from './queried-expressions.ts';
import { observabilityFiles } from './render.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RPC = 'florin_rpc_server_duration_seconds';
const HTTP = 'florin_http_server_duration_seconds';

type Series = Readonly<Record<string, string>>;

/** Values of each minute: of a histogram whose observations are all below `le`, `perMinute` of them. */
const histogram = (name: string, labels: string, le: string, perMinute: number): Series => {
  const bounds = ['0.5', '1', '2.5', '+Inf'];
  return Object.fromEntries(
    bounds.map((bound) => [
      `${name}_bucket{${labels},le="${bound}"}`,
      `0+${bounds.indexOf(bound) < bounds.indexOf(le) ? 0 : perMinute}x90`,
    ]),
  );
};

const requests = (status: string, perMinute: number, job = 'gateway'): Series => ({
  [`${HTTP}_count{job="${job}",route="/cards",status="${status}"}`]: `0+${perMinute}x90`,
});
const calls = (code: string, perMinute: number): Series => ({ [`${RPC}_count{job="card",rpc="x",code="${code}"}`]: `0+${perMinute}x90` });
const registrations = (code: string, perMinute: number): Series => ({
  [`${RPC}_count{job="identity",rpc="florin.identity.v1.UserService/RegisterUser",code="${code}"}`]: `0+${perMinute}x90`,
});
const allUp: Series = Object.fromEntries(PROCESS_NAMES.map((job) => [`up{job="${job}",instance="a"}`, '1x90']));
const authorize = 'job="card",rpc="florin.card.v1.ProcessorService/Authorize",code="OK"';

/** For each alert: series with which it fires, and ordinary ones with which it does not. */
const CASES: Readonly<Record<string, { fires: Series; silent: Series }>> = {
  ProcessDown: { fires: { 'up{job="card",instance="a"}': '1 0x90' }, silent: allUp },
  NoInstance: {
    fires: { ...allUp, 'up{job="vault",instance="a"}': '1 0x90' },
    silent: { ...allUp, 'up{job="vault",instance="b"}': '0x90' },
  },
  NotReady: {
    fires: { 'florin_ready{job="card",instance="a"}': '1 0x90', 'florin_ready{job="card",instance="b"}': '1x90' },
    silent: { 'florin_ready{job="card",instance="a"}': '1x30 0x2 1x90' },
  },
  CertificateExpires: {
    fires: { 'florin_tls_certificate_expiry_timestamp_seconds{job="card"}': '250000x90' },
    silent: { 'florin_tls_certificate_expiry_timestamp_seconds{job="card"}': '600000x90' },
  },
  ErrorBudgetBurnsFast: {
    fires: { ...requests('200', 900), ...requests('503', 100) },
    silent: { ...requests('200', 995), ...requests('503', 5), ...requests('503', 500, 'back-office') },
  },
  ErrorBudgetBurns: {
    fires: { ...requests('200', 990), ...requests('500', 10) },
    silent: { ...requests('200', 1000), ...requests('404', 500), ...requests('500', 500, 'back-office') },
  },
  RequestsSlow: {
    fires: histogram(HTTP, 'job="gateway",route="/cards"', '2.5', 60),
    silent: {
      ...histogram(HTTP, 'job="gateway",route="/cards"', '0.5', 60),
      ...histogram(HTTP, 'job="gateway",route="/3ds/challenges/events"', '+Inf', 60),
      ...histogram(HTTP, 'job="back-office",route="/cards"', '2.5', 60),
    },
  },
  RpcFaults: {
    fires: { ...calls('OK', 90), ...calls('SERVICE_UNAVAILABLE', 10) },
    silent: { ...calls('OK', 90), ...calls('CARD_NOT_FOUND', 90) },
  },
  AuthorizationsSlow: { fires: histogram(RPC, authorize, '2.5', 60), silent: histogram(RPC, authorize, '0.5', 60) },
  AuthenticationsRejected: {
    fires: { ...calls('OK', 50), ...calls('UNAUTHORIZED', 50) },
    silent: { ...calls('OK', 95), ...calls('UNAUTHORIZED', 5) },
  },
  RatesOld: {
    fires: { 'florin_ecb_rates_timestamp_seconds{job="card"}': '-604800x90' },
    silent: { 'florin_ecb_rates_timestamp_seconds{job="card"}': '-86400x90' },
  },
  EventLoopLag: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="card"}': '0.4x90' },
    silent: { 'nodejs_eventloop_lag_p99_seconds{job="card"}': '0.02x90' },
  },
  DatabaseConnectionsExhausted: {
    fires: { 'florin_mongodb_check_out_failures_total{job="card"}': '0+1x90' },
    silent: { 'florin_mongodb_check_out_failures_total{job="card"}': '7x90' },
  },
  EventsDelayed: {
    fires: { 'florin_outbox_age_seconds{job="card",collection="cards"}': '0+60x90' },
    silent: { 'florin_outbox_age_seconds{job="card",collection="cards"}': '5x90' },
  },
  NotificationsDelayed: {
    fires: {
      'florin_notifications_lag_seconds{instance="a"}': '0+60x90',
      'florin_notifications_feed_silence_seconds{instance="a"}': '5x90',
    },
    silent: { 'florin_notifications_lag_seconds{instance="a"}': '5x90', 'florin_notifications_feed_silence_seconds{instance="a"}': '5x90' },
  },
  WebhooksDelayed: {
    fires: { 'florin_webhook_lag_seconds{instance="a"}': '0+60x90', 'florin_webhook_lag_seconds{instance="b"}': '0x90' },
    silent: { 'florin_webhook_lag_seconds{instance="a"}': '5x90' },
  },
  WebhooksPostponed: {
    fires: { 'florin_webhook_attempts_total{outcome="postponed"}': '0+60x90' },
    silent: {
      'florin_webhook_attempts_total{outcome="postponed"}': '7x90',
      'florin_webhook_attempts_total{outcome="rejected"}': '0+60x90',
    },
  },
  WebhooksFail: {
    fires: { 'florin_webhook_endpoints{state="working"}': '9x90', 'florin_webhook_endpoints{state="down"}': '12x90' },
    silent: {
      'florin_webhook_endpoints{state="working"}': '9x90',
      'florin_webhook_endpoints{state="paused"}': '12x90',
      'florin_webhook_endpoints{state="failing"}': '1x90',
    },
  },
  WebhookShardWithoutOwner: {
    fires: { 'florin_webhook_shards{instance="a"}': '64x90', 'florin_webhook_shards_owned{instance="a"}': '32x90' },
    silent: {
      'florin_webhook_shards{instance="a"}': '64x90',
      'florin_webhook_shards_owned{instance="a"}': '32x90',
      'florin_webhook_shards_owned{instance="b"}': '32x90',
    },
  },
  ShardWithoutOwner: {
    fires: { 'florin_ledger_shards{instance="a"}': '4x90', 'florin_ledger_shards_owned{instance="a"}': '3x90' },
    silent: {
      'florin_ledger_shards{instance="a"}': '4x90',
      'florin_ledger_shards_owned{instance="a"}': '3x90',
      'florin_ledger_shards_owned{instance="b"}': '1x90',
    },
  },
  JournalBacklog: {
    fires: { 'florin_journal_waiting_entries{shard="0"}': '5000x90' },
    silent: { 'florin_journal_waiting_entries{shard="0"}': '200x90' },
  },
  CheckpointStands: {
    fires: { 'florin_journal_blocks_since_checkpoint{shard="0"}': '0+50x90' },
    silent: {
      'florin_journal_blocks_since_checkpoint{shard="0"}': Array.from({ length: 90 }, (_, minute) => 1 + ((minute * 37) % 100)).join(' '),
      'florin_journal_blocks_since_checkpoint{shard="1"}': '3x10 0x80',
    },
  },
  JournalUnread: {
    fires: { 'florin_journal_shards_unread{instance="a"}': '0x90', 'florin_journal_shards_unread{instance="b"}': '1x90' },
    silent: { 'florin_journal_shards_unread{instance="a"}': '0x90' },
  },
  ChallengesFail: {
    fires: { 'florin_events_total{type="challenge.created"}': '0+10x90', 'florin_events_total{type="challenge.failed"}': '0+1x90' },
    silent: { 'florin_events_total{type="challenge.created"}': '0+100x90', 'florin_events_total{type="challenge.failed"}': '0+1x90' },
  },
  OneTimePasswordsRefused: {
    fires: registrations('INVALID_OTP', 90),
    silent: registrations('OK', 90),
  },
  ProcessRestarts: {
    fires: { 'process_start_time_seconds{job="card",instance="a"}': '1x35 2x5 3x5 4x5 5x90' },
    silent: { 'process_start_time_seconds{job="card",instance="a"}': '1x40 2x90' },
  },
  ChainHalted: {
    fires: { 'florin_chain_watches_halted{job="chain"}': '1x90' },
    silent: { 'florin_chain_watches_halted{job="chain"}': '0x90' },
  },
  ChainWaits: {
    fires: { 'florin_chain_watches_waiting{job="chain"}': '1x90' },
    silent: { 'florin_chain_watches_waiting{job="chain"}': '0x40 1x5 0x90' },
  },
  WithdrawalStuck: {
    fires: { 'florin_chain_withdrawals_stuck{job="chain"}': '1x90' },
    silent: { 'florin_chain_withdrawals_stuck{job="chain"}': '0x90' },
  },
  RecoveryStuck: {
    fires: { 'florin_chain_recoveries_stuck{job="chain"}': '1x90' },
    silent: { 'florin_chain_recoveries_stuck{job="chain"}': '0x90' },
  },
  RelayerLow: {
    fires: {
      'florin_chain_relayer_balance{job="chain",relayer="0xa",chain="100"}': '1x90',
      'florin_chain_relayer_balance{job="chain",relayer="0xb",chain="100"}': '0.9x90',
    },
    silent: { 'florin_chain_relayer_balance{job="chain",relayer="0xa",chain="100"}': '1x90' },
  },
  RelayerJobsLeft: {
    fires: { 'florin_chain_relayer_jobs_left{job="chain"}': '1x90' },
    silent: { 'florin_chain_relayer_jobs_left{job="chain"}': '0x90' },
  },
  CollectingFails: {
    fires: { 'florin_chain_movements_failing{job="chain"}': '1x90' },
    silent: { 'florin_chain_movements_failing{job="chain"}': '0x90' },
  },
  BooksDiffer: {
    fires: { 'florin_settlement_report_differences{job="settlement"}': '2x90' },
    silent: { 'florin_settlement_report_differences{job="settlement"}': '0x90' },
  },
  ReportOverdue: {
    fires: { 'florin_settlement_report_age_seconds{job="settlement"}': '216000+60x90' },
    silent: { 'florin_settlement_report_age_seconds{job="settlement"}': '90000+60x90' },
  },
  ChainUnseen: {
    fires: {
      'florin_ledger_chain_seconds_left{job="ledger",instance="a",chain="100"}': '600-60x90',
      'florin_ledger_chain_seconds_left{job="ledger",instance="b",chain="100"}': '600-60x90',
    },
    silent: {
      'florin_ledger_chain_seconds_left{job="ledger",instance="a",chain="100"}': '600-60x90',
      'florin_ledger_chain_seconds_left{job="ledger",instance="b",chain="100"}': '22500x90',
    },
  },
  SafeChanged: {
    fires: { 'florin_chain_safe_changes_open{job="chain"}': '1x90' },
    silent: { 'florin_chain_safe_changes_open{job="chain"}': '0x90' },
  },
  BalancesDiffer: {
    fires: { 'florin_chain_balance_differences{job="chain"}': '1x90' },
    silent: { 'florin_chain_balance_differences{job="chain"}': '0x90' },
  },
};

/** When the alerts are looked at. Rates of longer windows then use what there is. */
const AT = '1h';

let promtool: string | undefined;
let directory: string;
beforeAll(async () => {
  promtool = await findPrometheus('promtool', () => undefined);
  directory = await mkdtemp(join(tmpdir(), 'florin-alerts-'));
  await writeFile(join(directory, 'rules.yaml'), observabilityFiles()['deploy/observability/generated/rules.yaml'] ?? '');
}, 180_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

const testOf = (name: string, series: Series, fires: boolean): object => ({
  name: `${name} ${fires ? 'fires' : 'is silent'}`,
  interval: '1m',
  input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
  promql_expr_test: [
    {
      expr: `count(ALERTS{alertname="Florin${name}",alertstate="firing"}) > bool 0`,
      eval_time: AT,
      exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
    },
  ],
});

const judge = async (tests: readonly object[]): Promise<{ code: number; output: string }> => {
  const file = join(directory, 'tests.yaml');
  await writeFile(file, stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }));
  return run(promtool ?? '', ['test', 'rules', file]);
};

/** promtool plays hours of samples for every alert, so its time grows with their number. */
const PROMTOOL_MS = 120_000;

describe('the alerts', () => {
  it('have a test each', () => {
    expect(Object.keys(CASES).sort()).toEqual(ALERTS.map(({ name }) => name).sort());
  });

  it(
    'fire when they have to, and only then',
    async (context) => {
      if (promtool === undefined) return context.skip('promtool is not available');
      const tests = Object.entries(CASES).flatMap(([name, { fires, silent }]) => [testOf(name, fires, true), testOf(name, silent, false)]);
      const { code, output } = await judge(tests);
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    },
    PROMTOOL_MS,
  );

  it(
    'are judged by tests that can fail',
    async (context) => {
      if (promtool === undefined) return context.skip('promtool is not available');
      const { code, output } = await judge(Object.entries(CASES).map(([name, { silent }]) => testOf(name, silent, true)));
      expect(code).not.toBe(0);
      const unjudged = ALERTS.filter(({ name }) => !new RegExp(`Florin${name}\\b`).test(output));
      expect(unjudged.map(({ name }) => name)).toEqual([]);
    },
    PROMTOOL_MS,
  );

  it('are rules that Prometheus accepts', async (context) => {
    if (promtool === undefined) return context.skip('promtool is not available');
    expect(await run(promtool, ['check', 'rules', join(directory, 'rules.yaml')])).toMatchObject({ code: 0 });
  });

  it('have a section in the run book each', async () => {
    const book = await readFile(join(ROOT, 'docs/operations/runbooks.md'), 'utf8');
    const headings = [...book.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
    expect(headings.sort()).toEqual(ALERTS.map(({ name }) => name).sort());
  });
});

describe('the metrics', () => {
  it('are documented', async () => {
    const { output } = await run('git', [
      'grep',
      '-hoE',
      "^ .*'florin_[a-z_]+', ?('|\"|$)|^ +'florin_[a-z_]+',$",
      '--',
      'services',
      'gateway',
      ':!*.test.ts',
    ]);
    const declared = [...output.matchAll(/'(florin_[a-z_]+)',/g)].map(([, name = '']) => name);
    expect(declared.length).toBeGreaterThan(20);
    const documented = await readFile(join(ROOT, 'docs/operations/README.md'), 'utf8');
    expect(declared.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

const expressions = queriedExpressions();

describe('the queries', () => {
  it('are PromQL', async (context) => {
    if (promtool === undefined) return context.skip('promtool is not available');
    const rules = expressions.map((expr, index) => ({ record: `query${index}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
    const file = join(directory, 'queries.yaml');
    await writeFile(file, stringify({ groups: [{ name: 'queries', rules }] }));
    const { code, output } = await run(promtool, ['check', 'rules', file]);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
  });

  it('name RPCs that exist', async () => {
    const { output } = await run('grep', ['-rhE', '^(package|service|  rpc) ', join(ROOT, 'proto/florin')]);
    const named = expressions.flatMap((expr) =>
      [...expr.matchAll(/florin\.\w+\.v1\.(\w+)\/(\w+)/g)].map(([, service = '', rpc = '']) => [service, rpc]),
    );
    expect(named.length).toBeGreaterThan(4);
    for (const [service, rpc] of named) {
      expect(output).toContain(`service ${service} `);
      expect(output).toContain(`rpc ${rpc}(`);
    }
  });
});
