import { startService } from '@florin/data/service';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { createSigningKey } from '@florin/rpc/signing-key';
import type { Rounds } from '@florin/rpc/time';
import { createBooking } from './booking/booking.ts';
import { createFindReports, createReportUnexplained, createReportUnsettled, MATCHING_SCOPES } from './clients/card.ts';
import { type SettlementConfig, waitOf } from './config.ts';
import { FOLLOWING_SCOPES, followLedger } from './following/follow-ledger.ts';
import { tellUnsettled } from './following/tell-unsettled.ts';
import { implementations } from './handlers/index.ts';
import { startMatching } from './matching/match-clearings.ts';
import { measureReports } from './reporting/measure-reports.ts';
import { createBlockStore } from './store/blocks.ts';
import { createCursorStore } from './store/cursors.ts';
import { createItemStore } from './store/items.ts';
import { createMatchStore } from './store/matches.ts';
import { createReportStore } from './store/reports.ts';
import { SCHEMA } from './store/schema.ts';

const HOUR_MS = 3_600_000;

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
      if (metrics !== undefined) defer(measureReports({ metrics, reports, blocks, now, logger }).close);
      return {
        implementations: implementations({ booking, blocks, reports, now }),
        userTokens: { identityUrl: config.IDENTITY_URL },
        // It only tells which sessions are revoked; that is read from identity as well.
        needsRedis: false,
      };
    },
  );
