import { startService } from '@florin/data/service';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { createSigningKey } from '@florin/rpc/signing-key';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { createBooking } from './booking/booking.ts';
import { createFindReports, createReportUnexplained, createReportUnsettled, MATCHING_SCOPES } from './clients/card.ts';
import { type SettlementConfig, waitOf } from './config.ts';
import { endOf } from './domain/record.ts';
import { FOLLOWING_SCOPES, followLedger } from './following/follow-ledger.ts';
import { tellUnsettled } from './following/tell-unsettled.ts';
import { implementations } from './handlers/index.ts';
import { startMatching } from './matching/match-clearings.ts';
import { createBlockStore } from './store/blocks.ts';
import { createCursorStore } from './store/cursors.ts';
import { createItemStore } from './store/items.ts';
import { createMatchStore } from './store/matches.ts';
import { createReportStore, type ReportVerdict } from './store/reports.ts';
import { SCHEMA } from './store/schema.ts';

const HOUR_MS = 3_600_000;
const VERDICT_INTERVAL_MS = 60_000;

/** Verdicts among which the last one that compares the chain is looked for. */
const VERDICTS = 30;

/** Wires the settlement service and serves it. */
export const createApp = (config: SettlementConfig, overrides: ServiceOverrides = {}): Promise<App> =>
  startService(
    { name: 'settlement', schema: SCHEMA },
    config,
    overrides,
    async ({ store, runtime, logger, metrics, connectTo, traceStore, defer }) => {
      const blocks = traceStore('blocks', createBlockStore(store.connection));
      const matches = traceStore('matches', createMatchStore(store.connection));
      const cursors = traceStore('cursors', createCursorStore(store.connection));
      const items = traceStore('items', createItemStore(store.connection));
      const reports = traceStore('reports', createReportStore(store.connection));
      let matching: Rounds | undefined;
      const { now } = runtime;
      const booking = createBooking({ blocks, key: createSigningKey(config.SETTLEMENT_KEY), now, grown: () => matching?.kick() });
      const card = connectTo('card', config.CARD_URL, MATCHING_SCOPES);
      const waitMs = config.SETTLEMENT_MATCH_HOURS * HOUR_MS;
      matching = startMatching({
        ...{ blocks, matches, cursors, items, booking, waitMs, now, logger },
        ...{ findReports: createFindReports(card), reportUnexplained: createReportUnexplained(card) },
      });
      defer(matching.close);
      const following = followLedger({
        channel: connectTo('ledger', config.LEDGER_URL, FOLLOWING_SCOPES),
        ...{ cursors, items, assets: config.ASSETS, now, logger },
      });
      defer(following.close);
      const telling = tellUnsettled({
        ...{ blocks, cursors, items, reportUnsettled: createReportUnsettled(card), afterMs: waitOf(config), now, logger },
      });
      defer(telling.close);
      if (metrics !== undefined) {
        let verdicts: readonly ReportVerdict[] = [];
        const round = async () => {
          verdicts = await reports.latest(VERDICTS);
        };
        defer(startRounds({ round, intervalMs: VERDICT_INTERVAL_MS, logger, failed: 'reading the last report failed, will retry' }).close);
        const ageSeconds = (): number => {
          const [last] = verdicts;
          return last === undefined ? 0 : (now().getTime() - endOf(last.day).getTime()) / 1000;
        };
        // One without a proof of reserves says nothing of what the last one with a proof has found.
        const differences = (): number => {
          const compared = verdicts.find(({ comparesChain }) => comparesChain);
          return Math.max(verdicts[0]?.differences ?? 0, compared?.differences ?? 0);
        };
        metrics.gauge(
          'florin_settlement_report_age_seconds',
          'Time since the end of the last day with a report; 0: no day has one',
          ageSeconds,
        );
        metrics.gauge(
          'florin_settlement_report_differences',
          'Differences that the last report names, or the last one that compares the chain',
          differences,
        );
      }
      return {
        implementations: implementations({ booking, blocks, reports, now }),
        userTokens: { identityUrl: config.IDENTITY_URL },
        // It only tells which sessions are revoked; that is read from identity as well.
        needsRedis: false,
      };
    },
  );
