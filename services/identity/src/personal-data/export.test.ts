import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';

let world: World;
let clients: Clients;
beforeAll(async () => {
  world = await createWorld();
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());

type Page = { records: { kind: string; data?: object | undefined }[]; nextCursor: string };

const readAll = async (page: (cursor: string) => Promise<Page>) => {
  const records: Page['records'] = [];
  let cursor = '';
  do {
    const answer = await page(cursor);
    records.push(...answer.records);
    expect(answer.records.length).toBeLessThanOrEqual(100);
    cursor = answer.nextCursor;
  } while (cursor !== '');
  return records;
};

describe('ExportPersonalData', () => {
  it('returns every record once, over pages', async () => {
    const person = await newUser(clients);
    await world.collection('funds_answers').insertMany(
      Array.from({ length: 230 }, (_, n) => ({
        _id: `${person.userId}:${n + 1}`,
        userId: person.userId,
        version: n + 1,
        answers: [{ question: 'q', answer: `a${n}` }],
        answeredAt: new Date(),
      })),
    );
    const records = await readAll((cursor) => clients.officeData.exportPersonalData({ userId: person.userId, cursor }));
    const answers = records.filter(({ kind }) => kind === 'source_of_funds');
    expect(answers).toHaveLength(230);
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(230);
    expect(records.find(({ kind }) => kind === 'user')?.data).toMatchObject({ email: person.email });
  });

  it('returns the replacements of lost wallets over pages, without the people of the operator', async () => {
    const person = await newUser(clients);
    const at = new Date();
    await world.collection('wallet_recoveries').insertMany(
      Array.from({ length: 130 }, (_, n) => ({
        _id: randomUUID(),
        userId: person.userId,
        lostWallet: person.wallet.address,
        replacementWallet: newWallet().address,
        actor: 'somebody@operator',
        approvedBy: 'somebody-else@operator',
        rejectedBy: '',
        failureCode: '',
        reason: `reason ${n}`,
        status: 'done',
        createdAt: at,
        updatedAt: at,
      })),
    );
    const records = await readAll((cursor) => clients.officeData.exportPersonalData({ userId: person.userId, cursor }));
    const recoveries = records.filter(({ kind }) => kind === 'wallet_recovery');
    expect(new Set(recoveries.map(({ data }) => JSON.stringify(data))).size).toBe(130);
    expect(JSON.stringify(recoveries)).not.toContain('operator');
  });

  it('returns a user their own data only', async () => {
    const [person, other] = [await newUser(clients), await newUser(clients)];
    await expect(clients.personalData.exportPersonalData({ userId: other.userId }, as(person.userToken))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const records = await readAll((cursor) => clients.personalData.exportPersonalData({ cursor }, as(person.userToken)));
    expect(JSON.stringify(records)).not.toContain(other.userId);
  });

  it.each(['x', Buffer.from('["user"]').toString('base64url'), Buffer.from('["secret","1"]').toString('base64url'), 'é'])(
    'rejects the cursor %j',
    async (cursor) => {
      const person = await newUser(clients);
      await expect(clients.personalData.exportPersonalData({ cursor }, as(person.userToken))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    },
  );

  it('returns only the caller’s own records from cursors of another user, changed ones, and those of other services', async () => {
    const [victim, attacker] = [await newUser(clients), await newUser(clients)];
    await world.collection('funds_answers').insertMany(
      [victim, attacker].flatMap(({ userId }) =>
        Array.from({ length: 130 }, (_, n) => ({
          _id: `${userId}:${n + 1}`,
          userId,
          version: n + 1,
          answers: [],
          answeredAt: new Date(),
        })),
      ),
    );
    const cursors: string[] = [];
    await readAll((cursor) => {
      cursors.push(cursor);
      return clients.officeData.exportPersonalData({ userId: victim.userId, cursor });
    });
    const madeUp = ['user', 'session', 'source_of_funds', 'card', 'payment', 'deposit'].flatMap((kind) =>
      [victim.userId, `${victim.userId}:1`, '', '-1', 'NaN', '{"$gt":""}'].map((after) =>
        Buffer.from(JSON.stringify([kind, after])).toString('base64url'),
      ),
    );
    for (const cursor of [...cursors.slice(1), ...cursors.slice(1).map((one) => `${one}A`), ...madeUp]) {
      const page = await clients.personalData.exportPersonalData({ cursor }, as(attacker.userToken)).catch((error) => error);
      if (page.code === undefined) expect(JSON.stringify(page.records)).not.toContain(victim.userId);
      else expect(page).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it('returns no page to a user who signed in more than five minutes ago, also from a cursor', async () => {
    const person = await newUser(clients);
    const { nextCursor } = await clients.personalData.exportPersonalData({}, as(person.userToken));
    expect(nextCursor).not.toBe('');
    world.clock.advanceSeconds(301);
    for (const cursor of ['', nextCursor])
      await expect(clients.personalData.exportPersonalData({ cursor }, as(person.userToken))).rejects.toMatchObject({
        code: 'REAUTHENTICATION_REQUIRED',
      });
  });

  it('needs a user id from a service, a scope, and a registered user', async () => {
    await expect(clients.officeData.exportPersonalData({})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const person = await newUser(clients);
    await expect(clients.personalData.exportPersonalData({ userId: person.userId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { accessToken } = await signIn(clients, newWallet());
    await expect(clients.personalData.exportPersonalData({}, as(accessToken))).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
  });

  it('returns no erased part of an erased user', async () => {
    const person = await newUser(clients);
    await world
      .collection('users')
      .updateOne({ _id: person.userId }, { $set: { erasedAt: new Date(), wallets: [] }, $unset: { email: 1 } });
    const records = await readAll((cursor) => clients.officeData.exportPersonalData({ userId: person.userId, cursor }));
    expect(records.map(({ kind }) => kind)).not.toContain('user');
  });
});
