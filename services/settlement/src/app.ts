import { startService } from '@florin/data/service';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { createSigningKey } from '@florin/rpc/signing-key';
import type { Rounds } from '@florin/rpc/time';
import { createBooking } from './booking/booking.ts';
import { createFindReports, MATCHING_SCOPES } from './clients/card.ts';
import type { SettlementConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import { startMatching } from './matching/match-clearings.ts';
import { createBlockStore } from './store/blocks.ts';
import { createMatchStore } from './store/matches.ts';
import { SCHEMA } from './store/schema.ts';

const HOUR_MS = 3_600_000;

/** Wires the settlement service and serves it. */
export const createApp = (config: SettlementConfig, overrides: ServiceOverrides = {}): Promise<App> =>
  startService(
    { name: 'settlement', schema: SCHEMA },
    config,
    overrides,
    async ({ store, runtime, logger, connectTo, traceStore, defer }) => {
      const blocks = traceStore('blocks', createBlockStore(store.connection));
      const matches = traceStore('matches', createMatchStore(store.connection));
      let matching: Rounds | undefined;
      const { now } = runtime;
      const booking = createBooking({ blocks, key: createSigningKey(config.SETTLEMENT_KEY), now, grown: () => matching?.kick() });
      const findReports = createFindReports(connectTo('card', config.CARD_URL, MATCHING_SCOPES));
      matching = startMatching({ blocks, matches, findReports, waitMs: config.SETTLEMENT_MATCH_HOURS * HOUR_MS, now, logger });
      defer(matching.close);
      return {
        implementations: implementations({ booking, blocks, now }),
        userTokens: { identityUrl: config.IDENTITY_URL },
        // It only tells which sessions are revoked; that is read from identity as well.
        needsRedis: false,
      };
    },
  );
