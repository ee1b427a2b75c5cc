import { startRetention } from '@florin/data/retention';
import { openStore, type Store } from '@florin/data/store';
import { testCipher, testEngines } from '@florin/data/testing';
import { fakeClock, quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFundsAnswerStore } from './funds-answers.ts';
import { createPartnerClientStore } from './partner-clients.ts';
import { retentionRules } from './retention-rules.ts';
import { createSessionStore } from './sessions.ts';

const DAY_SECONDS = 24 * 60 * 60;

let store: Store;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

describe('the retention times of identity', () => {
  it('delete ended sessions and replaced answers when their time is over, and keep the newest answers, and the ids of partners’ invitations', async () => {
    // Behind the engine's, so that it can be advanced.
    const clock = fakeClock(new Date(Date.now() - 40 * DAY_SECONDS * 1000));
    const sessions = createSessionStore(store.connection, testCipher());
    const answers = createFundsAnswerStore(store.connection);
    const session = { wallet: '0x', partnerId: 'florin', salt: 's', generation: 0, createdAt: clock.now(), lastUsedAt: clock.now() };
    await sessions.add({ ...session, id: 'short', expiresAt: clock.now() });
    await sessions.add({ ...session, id: 'long', expiresAt: new Date(Date.now() + DAY_SECONDS * 1000) });
    for (const version of [1, 2]) {
      await answers.add({ userId: 'u', version, answers: [{ question: 'q', answer: `${version}` }], answeredAt: clock.now() });
    }
    const partners = createPartnerClientStore(store.connection);
    await partners.invite({ tokenHash: 'used', partnerId: 'florin', scopes: [], expiresAt: clock.now() });
    const rules = retentionRules({ sessions: 2, funds: 30 });
    const running = startRetention({ connection: store.connection, rules, runtime: clock, logger: quietLogger, intervalMs: 20 });
    const gone = (what: string, find: () => Promise<unknown>) =>
      waitFor(what, async () => ((await find()) === undefined ? true : undefined));

    clock.advanceSeconds(3 * DAY_SECONDS);
    await gone('the session', () => sessions.find('short'));
    expect(await sessions.find('long')).toBeDefined();
    expect(await answers.find('u', 1)).toBeDefined();
    clock.advanceSeconds(30 * DAY_SECONDS);
    await gone('the answers', () => answers.find('u', 1));
    expect(await answers.latestOf('u')).toMatchObject({ version: 2 });
    // A bootstrap token follows from the id of its request: without the record, a repeat would make it valid again.
    expect(await partners.findInvitation('used')).toBeDefined();
    await running.close();
  });
});
