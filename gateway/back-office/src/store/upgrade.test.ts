import { migrate } from '@florin/data/migrations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailboxOf } from '../operators/mailbox.ts';
import { createWorld, type World } from '../testing/world.ts';
import { createOperatorStore, type Operator } from './operators.ts';
import { SCHEMA } from './schema.ts';

/** A database that a release with schema 1 wrote: its operators have no mailbox, and its indexes are not unique. */
const EMAILS = ['ada@example.org', 'b.o.b+office@gmail.com', 'eve+1@example.org', 'mallory@googlemail.com'];

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const operators = world.connection.collection<Operator>('operators');
  await operators.createIndex({ email: 1 }, { unique: true });
  await operators.createIndex({ 'passkeys.id': 1 });
  await operators.createIndex({ oidc: 1 }, { sparse: true });
  await operators.insertMany(
    EMAILS.map((email, index) => ({
      _id: crypto.randomUUID(),
      email,
      name: email,
      roles: ['viewer' as const],
      status: 'active' as const,
      // An operator who signs in at a provider has no passkey.
      passkeys: index < 2 ? [] : [{ id: `passkey-${index}`, publicKey: 'AAAA', counter: 0, transports: [], createdAt: new Date(0) }],
      createdAt: new Date(0),
    })),
  );
});
afterAll(() => world?.close());

const stored = () => world.connection.collection<Operator>('operators').find().toArray();

it('a database of the previous release is served before and after its migration, and then has one account for a mailbox', async () => {
  const process = await world.start();
  const { email, id } = await process.operator('viewer');
  const run = () => migrate({ connection: world.connection, schema: SCHEMA, report: () => undefined });
  await Promise.all([run(), run()]);
  expect(await run()).toBe(SCHEMA.version);
  const found = await stored();
  expect(found.map((one) => [one.email, one.mailbox])).toEqual(found.map((one) => [one.email, mailboxOf(one.email)]));
  expect(found).toHaveLength(EMAILS.length + 1);
  expect(found.find(({ _id }) => _id === id)?.email).toBe(email);

  const operators = createOperatorStore(world.connection);
  const another = (more: Partial<Operator>): Operator => ({
    _id: crypto.randomUUID(),
    email: `${crypto.randomUUID()}@example.org`,
    name: 'Another',
    roles: ['viewer'],
    status: 'active',
    passkeys: [],
    createdAt: new Date(0),
    ...more,
  });
  expect(await operators.insert(another({ email: 'bob@googlemail.com' }))).toBe('mailbox');
  expect(await operators.insert(another({ email: 'eve@example.org' }))).toBe('mailbox');
  expect(await operators.insert(another({ email: 'eve+1@example.org' }))).toBe('operator');
  const [eve] = found.filter((one) => one.email === 'eve+1@example.org');
  expect(await operators.insert(another({ passkeys: eve?.passkeys ?? [] }))).toBe('passkey');
  expect(await operators.insert(another({ oidc: 'https://id.example.org eve' }))).toBeUndefined();
  expect(await operators.insert(another({ oidc: 'https://id.example.org eve' }))).toBe('provider');
  // A disabled operator may come back by another address of the same mailbox.
  await operators.disable(eve?._id ?? '');
  expect(await operators.insert(another({ email: 'eve@example.org' }))).toBeUndefined();
});
