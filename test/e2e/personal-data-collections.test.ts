import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@florin/data/store';
import { neededRights, observeCommands, observedUri, testEngines } from '@florin/data/testing';
import { mongodbRoles } from '@florin/local';
import { quietLogger } from '@florin/rpc/testing';
import { connections } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCardDataApp } from '../support/card-data.ts';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type DumpedValue, dumpDatabases } from '../support/dump-engines.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { ROOT } from '../support/settings.ts';
import { acceptAllTerms, createCard, decide, explainFunds, newPhone, raiseChallenge, registerPerson } from '../support/story.ts';

/**
 * The treatment of a collection in a person's export: the kind of its records; `withheld` for records that lead to a person and are not part of the
 * export, which docs/privacy.md explains; `impersonal` for what leads to nobody.
 */
type Treatment = { kind: string } | 'withheld' | 'impersonal';

/** Every collection of every service. One that is missing here fails the test: decide on its export and erasure, and add it to docs/privacy.md. */
const COLLECTIONS: Readonly<Record<string, Readonly<Record<string, Treatment>>>> = {
  identity: {
    users: { kind: 'user' },
    sessions: { kind: 'session' },
    term_acceptances: { kind: 'terms_acceptance' },
    funds_answers: { kind: 'source_of_funds' },
    wallet_recoveries: { kind: 'wallet_recovery' },
    erasures: { kind: 'erasure' },
    registrations: 'withheld',
    email_claims: 'withheld',
    wallet_claims: 'withheld',
    wallet_epochs: 'withheld',
    codes: 'withheld',
    limit_windows: 'withheld',
    wallet_approvals: 'withheld',
    used_messages: 'withheld',
    onboarding_marks: 'withheld',
    audit_events: 'withheld',
    signing_keys: 'impersonal',
    // Of partners, not of people.
    partner_clients: 'impersonal',
    partner_invitations: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  card: {
    cardholders: { kind: 'cardholder' },
    cards: { kind: 'card' },
    spendings: { kind: 'spending' },
    payments: { kind: 'payment' },
    event_claims: 'withheld',
    exceptions: 'withheld',
    reservations: 'withheld',
    audit_events: 'withheld',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  ledger: {
    accounts: { kind: 'account' },
    deposits: { kind: 'deposit' },
    withdrawals: { kind: 'withdrawal' },
    blocks: 'withheld',
    entry_runs: 'withheld',
    entry_run_parts: 'withheld',
    balance_pages: 'withheld',
    checkpoints: 'withheld',
    snapshots: 'withheld',
    snapshot_parts: 'withheld',
    open_holds: 'withheld',
    movement_claims: 'withheld',
    references: 'withheld',
    pending_screenings: 'withheld',
    adjustments: 'withheld',
    approval_windows: 'withheld',
    audit_events: 'withheld',
    heads: 'impersonal',
    halted_chains: 'impersonal',
    chain_leases: 'impersonal',
    token_blocks: 'withheld',
    settings: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  chain: {
    transfers: 'withheld',
    exceptions: 'withheld',
    safes: 'withheld',
    safe_withdrawals: 'withheld',
    recovery_transactions: 'withheld',
    safe_nonces: 'withheld',
    relay_jobs: 'withheld',
    relay_lanes: 'withheld',
    differences: 'withheld',
    reserves: 'impersonal',
    reserves_parts: 'withheld',
    cursors: 'impersonal',
    alarm_cursors: 'impersonal',
    collection_reports: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  events: {
    feed_blocks: 'withheld',
    feed_archives: 'impersonal',
    feed_routes: 'withheld',
    audit_events: 'withheld',
    journal_cursors: 'impersonal',
    // Of partners, not of people.
    webhook_endpoints: 'impersonal',
    webhook_secrets: 'impersonal',
    webhook_keys: 'impersonal',
    webhook_progress: 'impersonal',
    webhook_attempts: 'impersonal',
    webhook_leases: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  notifications: {
    devices: { kind: 'notification_device' },
    preferences: { kind: 'notification_preferences' },
    deliveries: { kind: 'notification' },
    audit_events: 'withheld',
    cursors: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  settlement: {
    // Ids of transactions, payments and accounts lead to a person through the card service alone. Books of a business are kept.
    blocks: 'withheld',
    matches: 'withheld',
    items: 'withheld',
    reports: 'impersonal',
    audit_events: 'withheld',
    cursors: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  threeds: {
    challenges: { kind: 'challenge' },
    reservations: 'withheld',
    audit_events: 'withheld',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
  vault: {
    cards: { kind: 'card_number' },
    card_data_accesses: { kind: 'card_data_access' },
    pan_claims: 'withheld',
    audit_events: 'withheld',
    vault_keys: 'impersonal',
    database_records: 'impersonal',
    write_probes: 'impersonal',
  },
};

const ALL = Object.entries(COLLECTIONS).flatMap(([service, collections]) =>
  Object.entries(collections).map(([collection, treatment]) => ({ service, collection, treatment })),
);
const withTreatment = (wanted: Treatment) => ALL.filter(({ treatment }) => treatment === wanted);
const EXPORTED = ALL.flatMap(({ treatment, ...place }) => (typeof treatment === 'string' ? [] : [{ ...place, kind: treatment.kind }]));

let platform: PlatformInProcess;
let network: CardNetwork;
let stored: DumpedValue[];
let existing: string[];
let exported: Set<string>;
/** The rights that processes used in their databases. */
let needed: ReturnType<typeof neededRights>;
/** Texts that lead to the person: ids, address, e-mail. */
let traces: string[];

const collectionsOf = async (database: string): Promise<string[]> => {
  const store = await openStore({ uri: platform.databases.mongodbUri, database, poolSize: 1, logger: quietLogger });
  try {
    return ((await store.connection.db?.listCollections().toArray()) ?? []).map(({ name }) => name);
  } finally {
    await store.close();
  }
};

beforeAll(async () => {
  platform = await startPlatformInProcess(
    { MONGODB_URI: observedUri(testEngines().mongodbUri) },
    { events: {}, notifications: {}, settlement: {} },
  );
  const sent = connections.filter(({ name }) => platform.databases.names.includes(name)).map(observeCommands);
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  const { api } = platform;
  const person = await registerPerson(api);
  const { token } = person;
  await acceptAllTerms(api, token);
  await explainFunds(api, token);
  const cardId = await createCard(api, token, { cardName: 'Everyday', phone: newPhone() });
  for (const kind of ['deposits', 'withdrawals']) {
    await api.call('POST', `/sandbox/${kind}`, {
      token,
      body: { token: 'EURe', amount: `${kind === 'deposits' ? 100n : 1n}${'0'.repeat(18)}` },
    });
  }
  await decide(api, person, await raiseChallenge(api, token, cardId), 'approve');
  await (await createCardDataApp(api, person)).viewDetails(cardId);
  const payment = network.payment(cardId);
  expect(await payment.authorize(100)).toMatchObject({ approved: true });
  await payment.clear(100);
  expect(await network.payment(cardId).authorize(100)).toMatchObject({ approved: true });
  const account = await api.as(token).userAccount.getAccount();
  traces = [person.userId, account.id, cardId, person.wallet.address, person.email].map((text) => text.toLowerCase());
  const { records } = await api.as(token).user.exportUserData();
  exported = new Set(records.map(({ service, kind }) => `${service}/${kind}`));
  needed = neededRights(sent.flatMap((commands) => commands()));
  stored = await dumpDatabases(platform.databases);
  const perDatabase = await Promise.all(
    platform.databases.names.map(async (database) => {
      const service = database.split('_').at(-1) ?? '';
      return (await collectionsOf(database)).map((collection) => `${service}/${collection}`);
    }),
  );
  existing = perDatabase.flat();
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

/** Returns true if a document of the collection leads to the person. */
const leadsToPerson = ({ service, collection }: { service: string; collection: string }): boolean =>
  stored.some(
    ({ place, text }) =>
      place.includes(`_${service}/${collection}/`) && traces.some((trace) => `${place} ${text}`.toLowerCase().includes(trace)),
  );

describe('the table of collections', () => {
  it('names every collection that exists', () => {
    const known = new Set(ALL.map(({ service, collection }) => `${service}/${collection}`));
    expect(existing.filter((collection) => !known.has(collection))).toEqual([]);
    expect(existing.length).toBeGreaterThan(40);
  });

  it('has a right of a process in the database for each, which cannot change its audit log', () => {
    const known = new Set(
      mongodbRoles().flatMap(({ privileges }) =>
        privileges.map(({ resource: { db, collection } }) => `${db.split('_').at(-1)}/${collection}`),
      ),
    );
    expect(existing.filter((collection) => !known.has(collection))).toEqual([]);
  });

  it('has each right that a process used', () => {
    const granted = new Set(
      mongodbRoles()
        .filter(({ role }) => role !== 'florin-audit-retention')
        .flatMap(({ privileges }) => privileges)
        .flatMap(({ resource: { db, collection }, actions }) => actions.map((action) => `${db.split('_').at(-1)}/${collection}/${action}`)),
    );
    const used = needed.map(({ db, collection, action }) => `${db.split('_').at(-1)}/${collection}/${action}`);
    expect(used.filter((right) => !granted.has(right))).toEqual([]);
    // Fails when nothing is observed. Notifications and settlement work at intervals, of which the story may see none.
    for (const service of ['identity', 'card', 'ledger', 'threeds', 'vault', 'events'])
      expect(used.filter((right) => right.startsWith(`${service}/`)).length).toBeGreaterThan(3);
  });

  it.each(EXPORTED)('exports $service $collection', ({ service, collection, kind }) => {
    expect(exported.has(`${service}/${kind}`)).toBe(leadsToPerson({ service, collection }));
  });

  it('names everything that is exported', () => {
    const known = new Set(EXPORTED.map(({ service, kind }) => `${service}/${kind}`));
    expect([...exported].filter((kind) => !known.has(kind))).toEqual([]);
  });

  const guide = readFileSync(join(ROOT, 'gateway/guides/personal-data.md'), 'utf8');

  it.each(EXPORTED)('has a kind in the guide for $service $collection', ({ service, kind }) => {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${service}\` |`));
    expect(row).toContain(`\`${kind}\``);
  });

  it.each(withTreatment('impersonal'))('is right that $service $collection leads to nobody', (place) => {
    expect(leadsToPerson(place)).toBe(false);
  });

  const privacy = readFileSync(join(ROOT, 'docs/privacy.md'), 'utf8');

  it.each(withTreatment('withheld'))('has a reason in docs/privacy.md for withholding $service $collection', ({ service, collection }) => {
    const section = privacy.slice(privacy.indexOf('## Export'), privacy.indexOf('## Erasure'));
    const rows = section.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`${collection}\``));
    expect(rows.some((row) => row.includes(service) || row.includes('every service'))).toBe(true);
  });

  it.each(EXPORTED)('has a row in docs/privacy.md for $service $collection', ({ service, collection }) => {
    const stores = privacy.slice(privacy.indexOf('## What is stored where'), privacy.indexOf('### What stays'));
    const rows = stores.split('\n').filter((line) => line.startsWith('|') && line.includes(service));
    expect(rows.some((row) => row.includes(`\`${collection}\``) || (service === 'ledger' && row.includes(collection.slice(0, -1))))).toBe(
      true,
    );
  });
});
