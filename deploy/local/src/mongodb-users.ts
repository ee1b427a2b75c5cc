import type { ProcessName } from './config.ts';

/** The processes that have a user of MongoDB, and the job that trims the audit logs. */
export type MongodbUser = Exclude<ProcessName, 'gateway'> | 'audit-retention';

/** The collections of the database of a service, besides those that each has. The service alone writes them. */
const COLLECTIONS = {
  identity: [
    ...['users', 'sessions', 'term_acceptances', 'funds_answers', 'wallet_recoveries', 'erasures', 'registrations', 'email_claims'],
    ...[
      'wallet_claims',
      'wallet_epochs',
      'codes',
      'limit_windows',
      'wallet_approvals',
      'used_messages',
      'onboarding_marks',
      'signing_keys',
      'partner_clients',
      'partner_invitations',
    ],
  ],
  card: ['cardholders', 'cards', 'spendings', 'payments', 'event_claims', 'exceptions', 'reservations'],
  ledger: [
    ...['accounts', 'deposits', 'withdrawals', 'blocks', 'entry_runs', 'entry_run_parts', 'balance_pages', 'checkpoints', 'snapshots'],
    ...['snapshot_parts', 'open_holds', 'movement_claims', 'references', 'pending_screenings', 'adjustments', 'approval_windows', 'heads'],
    ...['halted_chains', 'chain_leases', 'token_blocks', 'settings'],
  ],
  threeds: ['challenges', 'reservations'],
  vault: ['cards', 'card_data_accesses', 'pan_claims', 'vault_keys'],
  chain: [
    ...[
      'transfers',
      'exceptions',
      'safes',
      'safe_plans',
      'safe_withdrawals',
      'safe_nonces',
      'recovery_transactions',
      'relay_jobs',
      'relay_lanes',
      'collections',
    ],
    ...['collection_reports', 'differences', 'reserves', 'reserves_parts', 'cursors', 'alarm_cursors'],
  ],
  events: [
    ...['feed_blocks', 'feed_archives', 'feed_routes', 'journal_cursors', 'webhook_endpoints', 'webhook_secrets', 'webhook_keys'],
    ...['webhook_progress', 'webhook_attempts', 'webhook_leases'],
  ],
  settlement: ['blocks', 'matches', 'items', 'reports', 'cursors'],
  notifications: ['devices', 'preferences', 'deliveries', 'cursors'],
  'back-office': [
    ...['accesses', 'actions', 'ceremonies', 'halt_orders', 'invitations', 'operator_sessions', 'operators', 'queue_items'],
    'replacement_orders',
  ],
} as const satisfies Record<Exclude<MongodbUser, 'webhooks' | 'audit-retention'>, readonly string[]>;

type Service = keyof typeof COLLECTIONS;
const SERVICES = Object.keys(COLLECTIONS) as Service[];

/** The log that nobody who writes it can change, and the records of schema and keys, in every database. */
const AUDIT = 'audit_events';
const EVERYWHERE = ['database_records', 'write_probes'];

/**
 * Nobody creates an index where he may not remove: one that expires documents empties a collection, and a unique one ends what is added. A process creates its own
 * collections and their indexes when it starts, the owner of feeds those of the feeds, and the job that trims those of the logs.
 */
const READ = ['find', 'listIndexes'];
const ADD = [...READ, 'insert'];
const TRIM = [...ADD, 'remove', 'createIndex'];
const WRITE = [...TRIM, 'update', 'createCollection'];

/** Collections of which a migration drops indexes that no release has any more. */
const REINDEXED: Partial<Record<Service, readonly string[]>> = { card: ['payments'] };

/** Collections of the feeds that the process that connects to partners reads, and those of its deliveries that it writes. */
const WEBHOOKS = {
  reads: ['feed_blocks', 'feed_archives'],
  writes: [
    ...['webhook_endpoints', 'webhook_secrets', 'webhook_keys', 'webhook_progress', 'webhook_attempts', 'webhook_leases'],
    'write_probes',
  ],
};

/** A role as MongoDB creates it (`createRole`), in the database `admin`. */
export type MongodbRole = {
  role: string;
  privileges: { resource: { db: string; collection: string }; actions: string[] }[];
  roles: [];
};

const databaseOf = (service: Service): string => `florin_${service.replaceAll('-', '_')}`;

const grants = (service: Service, actions: readonly string[], collections: readonly string[]) =>
  collections.map((collection) => ({ resource: { db: databaseOf(service), collection }, actions: [...actions] }));

const roleOf = (user: MongodbUser): MongodbRole => {
  const privileges = (): MongodbRole['privileges'] => {
    if (user === 'webhooks') {
      const { reads, writes } = WEBHOOKS;
      return [
        ...grants('events', READ, reads),
        ...grants('events', WRITE, writes),
        // It records the keys of a database that has none yet, and changes neither them nor the schema.
        ...grants('events', ADD, ['database_records', AUDIT]),
      ];
    }
    if (user === 'audit-retention') return SERVICES.flatMap((service) => grants(service, TRIM, [AUDIT]));
    return [
      ...grants(user, WRITE, [...COLLECTIONS[user], ...EVERYWHERE]),
      ...grants(user, ADD, [AUDIT]),
      ...grants(user, ['dropIndex'], REINDEXED[user] ?? []),
      // A first start tells a new database from one of an earlier release.
      { resource: { db: databaseOf(user), collection: '' }, actions: ['listCollections'] },
    ];
  };
  return { role: `florin-${user}`, privileges: privileges(), roles: [] };
};

/**
 * A role for each user, by collection: a process writes what is its own, adds to its audit log, and changes nothing that is there. The user `audit-retention`
 * alone removes from the logs, what is old enough. No process starts with it.
 */
export const mongodbRoles = (): MongodbRole[] => [...SERVICES, 'webhooks' as const, 'audit-retention' as const].map(roleOf);
