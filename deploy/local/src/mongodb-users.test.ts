import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROCESS_NAMES } from './config.ts';
import { mongodbRoles } from './mongodb-users.ts';

const CLUSTER = new URL('../../k8s/components/engines-mongodb/mongodb.yaml', import.meta.url);
const JOB = new URL('../../k8s/components/audit-retention/cron-job.yaml', import.meta.url);

/** Two processes share the database of events, and the gateway has none. */
const DATABASES = PROCESS_NAMES.filter((name) => name !== 'gateway' && name !== 'webhooks').map(
  (name) => `florin_${name.replaceAll('-', '_')}`,
);
/** An index can expire documents, or end the adding of others; so can the options of a collection. */
const CHANGES = [
  ...['update', 'remove', 'createIndex', 'createCollection', 'collMod', 'dropIndex', 'convertToCapped'],
  ...['dropCollection', 'renameCollectionSameDB', 'anyAction'],
];

/** The actions of a role on a collection of a database. */
const actionsOf = (name: string, db: string, collection: string): string[] =>
  mongodbRoles()
    .filter(({ role }) => role === `florin-${name}`)
    .flatMap(({ privileges }) => privileges)
    .filter(({ resource }) => resource.db === db && (resource.collection === collection || resource.collection === ''))
    .flatMap(({ actions }) => actions);

describe('the roles of MongoDB', () => {
  it('are one for each process that has a database, and one for the job that trims', () => {
    const wanted = [...PROCESS_NAMES.filter((name) => name !== 'gateway'), 'audit-retention'].map((name) => `florin-${name}`);
    expect(
      mongodbRoles()
        .map(({ role }) => role)
        .sort(),
    ).toEqual(wanted.sort());
  });

  it('let a process add to its audit log, and only the job remove from any', () => {
    for (const { role, privileges } of mongodbRoles()) {
      const logs = privileges.filter(({ resource: { collection } }) => collection === 'audit_events');
      expect(logs.length).toBe(role === 'florin-audit-retention' ? DATABASES.length : 1);
      for (const { actions } of logs) {
        expect(actions).toEqual(expect.arrayContaining(['find', 'insert']));
        expect(actions.filter((action) => CHANGES.includes(action))).toEqual(
          role === 'florin-audit-retention' ? ['remove', 'createIndex'] : [],
        );
      }
      // No role has rights on all collections but to list them: they would be rights on the log.
      for (const { resource, actions } of privileges) if (resource.collection === '') expect(actions).toEqual(['listCollections']);
      expect(new Set(privileges.map(({ resource }) => resource.db)).size).toBe(role === 'florin-audit-retention' ? DATABASES.length : 1);
    }
  });

  it('let the job trim the log of every database', () => {
    const [, named = ''] = /AUDIT_DATABASES, value: "([^"]+)"/.exec(readFileSync(JOB, 'utf8')) ?? [];
    expect(named.split(',').sort()).toEqual(DATABASES.sort());
  });

  it('let the process that faces partners change no feed', () => {
    for (const collection of ['feed_blocks', 'feed_archives'])
      expect(actionsOf('webhooks', 'florin_events', collection).filter((action) => ['insert', ...CHANGES].includes(action))).toEqual([]);
    expect(actionsOf('webhooks', 'florin_events', 'feed_routes')).toEqual([]);
    // Nor the schema, by which it could keep the process that writes the feeds from starting.
    expect(actionsOf('webhooks', 'florin_events', 'database_records').filter((action) => CHANGES.includes(action))).toEqual([]);
  });

  it('are those of the users of the cluster, each of which has one', () => {
    const users = [...readFileSync(CLUSTER, 'utf8').matchAll(/- \{ name: ([\w-]+), db: admin, .*roles: \[(.*?)\] \}/g)];
    expect(users.map(([, user, roles]) => [user, roles])).toEqual(users.map(([, user]) => [user, `{ name: florin-${user}, db: admin }`]));
    expect(users.map(([, user]) => `florin-${user}`).sort()).toEqual(
      mongodbRoles()
        .map(({ role }) => role)
        .sort(),
    );
  });
});
