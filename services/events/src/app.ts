import { startRetention } from '@florin/data/retention';
import { startService } from '@florin/data/service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { findRegisteredClientAt } from '@florin/rpc/auth';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { createOwnersClient } from './clients/owners.ts';
import { type EventsConfig, webhookRules } from './config.ts';
import { openEndpoints } from './endpoints/open.ts';
import { startTextSweep } from './endpoints/sweep-texts.ts';
import { createFeedAppender } from './feed/append.ts';
import { createFindFeed } from './feed/find-feed.ts';
import { openWake } from './feed/wake.ts';
import { parseWebhookUrl } from './guard/webhook-url.ts';
import { implementations } from './handlers/index.ts';
import { webhookImplementation } from './handlers/webhooks/index.ts';
import { followJournal } from './journal/follow-journal.ts';
import { type ReadOptions, readFeed } from './reading/read-feed.ts';
import { readUserEvents, type UserReadOptions } from './reading/read-user-events.ts';
import { createArchiveStore } from './store/archives.ts';
import { type BlockStore, createBlockStore } from './store/blocks.ts';
import { createJournalCursorStore } from './store/journal-cursors.ts';
import { createRouteStore, routeRule } from './store/routes.ts';
import { SCHEMA } from './store/schema.ts';
import { attemptRule } from './store/webhook-attempts.ts';

/** Parts that a test may replace. */
export type EventsOverrides = ServiceOverrides & { wrapBlocks?: (blocks: BlockStore) => BlockStore };

/** Wires the events service and serves it. */
export const createApp = (config: EventsConfig, overrides: EventsOverrides = {}): Promise<App> =>
  startService({ name: 'events', schema: SCHEMA }, config, overrides, async (core) => {
    const { logger, runtime, store, redis, connectTo, traceStore, defer } = core;
    const urlRules = webhookRules(config);
    const { wrapBlocks = (blocks) => blocks } = overrides;
    const blocks = traceStore('blocks', wrapBlocks(createBlockStore(store.connection)));
    const archives = traceStore('archives', createArchiveStore(store.connection));
    const identity = connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.readUsers]);
    const ledger = connectTo('ledger', config.LEDGER_URL, [LEDGER_SCOPES.readAccounts, LEDGER_SCOPES.readEntries]);
    const wake = await openWake(redis, logger);
    defer(wake.close);
    const append = createFeedAppender({ blocks, now: runtime.now, grown: wake.grown });
    const findFeed = createFindFeed(createOwnersClient(identity, ledger));
    const routes = traceStore('routes', createRouteStore(store.connection, runtime.now));
    const appending = { append, findFeed, routes };
    if (config.FOLLOW_JOURNAL) {
      const cursors = traceStore('journal-cursors', createJournalCursorStore(store.connection));
      const entries = ledger.client(EntryService);
      const follower = followJournal({
        ...appending,
        blocks,
        ledger: entries,
        cursors,
        database: config.MONGODB_DATABASE,
        redis,
        runtime,
        logger,
      });
      defer(follower.close);
      core.metrics?.gauge(
        'florin_journal_shards_unread',
        'Shards of the journal whose reading waits for a later release',
        follower.stopped,
      );
    }
    const reading = { blocks, archives, now: runtime.now };
    const read = (options: ReadOptions) => readFeed(reading, options);
    const readOfUser = (options: UserReadOptions) => readUserEvents(reading, options);
    const webhooks = await openEndpoints(core, config);
    const rules = [attemptRule(config.WEBHOOK_ATTEMPTS_DAYS), routeRule];
    defer(startRetention({ connection: store.connection, rules, runtime, logger }).close);
    defer(startTextSweep({ ...webhooks, logger }).close);
    const parseUrl = (text: string) => parseWebhookUrl(text, urlRules);
    return {
      implementations: [
        ...implementations({ ...appending, read, readOfUser, wake }),
        webhookImplementation({ ...webhooks, blocks, read, parseUrl, runtime }),
      ],
      userTokens: { identityUrl: config.IDENTITY_URL },
      partners: { registered: findRegisteredClientAt(identity.client(PartnerClientService)) },
      // It only wakes readers, who look by themselves as well.
      needsRedis: false,
    };
  });
