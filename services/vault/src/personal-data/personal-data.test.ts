import { randomUUID } from 'node:crypto';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealTo } from '../testing/app-key.ts';
import { createWorld, newMasterKey, type Person, type Vault, type World } from '../testing/world.ts';

const { VIEW_DETAILS, VIEW_PIN } = CardDataAction;

let world: World;
let vault: Vault;
beforeAll(async () => {
  world = await createWorld();
  vault = await world.start();
});
afterAll(() => world.close());

const personalData = () => vault.client(PersonalDataService);
const asIdentity = () => vault.asService('identity', [PRIVACY_SCOPES.eraseData, AUDIT_SCOPES.readEvents]);
const erase = async (userId: string) => personalData().erasePersonalData({ userId }, await asIdentity());
const exported = async ({ options }: Person) => (await personalData().exportPersonalData({}, options)).records;

/** A person with a number, a PIN, and three records in the access log. */
const newHolder = async (): Promise<Person & { pan: string }> => {
  const person = await vault.newPerson();
  const { pan } = (await person.view()) as { pan: string };
  await person.setPin('8302');
  await person.view(VIEW_PIN);
  return { ...person, pan };
};

/** Every page of the export. */
const exportAll = async ({ options }: Person) => {
  const all = [];
  let cursor = '';
  do {
    const { records, nextCursor } = await personalData().exportPersonalData({ cursor }, options);
    all.push(...records.map(({ kind, data }) => ({ kind, data: data as Record<string, unknown> | undefined })));
    cursor = nextCursor;
  } while (cursor !== '');
  return all;
};

describe('the export', () => {
  it('has the card and every access, without secrets', async () => {
    const person = await newHolder();
    const records = await exportAll(person);
    expect(records.map(({ kind }) => kind)).toEqual(['card_number', 'card_data_access', 'card_data_access', 'card_data_access']);
    expect(records[0]?.data).toMatchObject({ id: person.cardId, last4: person.pan.slice(-4), hasPin: true });
    expect(records.slice(1).map(({ data }) => data?.['action'])).toEqual(['view_pin', 'set_pin', 'view_details']);
    expect(records[1]?.data).toMatchObject({ wallet: person.wallet.address, thumbprint: person.appKey.thumbprint });
    for (const secret of [person.pan, 'panHash', 'dataKey', 'sealed', 'nonce', 'outbox'])
      expect(JSON.stringify(records)).not.toContain(secret);
    expect(await exported(await vault.newPerson())).toHaveLength(1);
  });

  it('is not given to a service without the scope', async () => {
    const { userId } = await vault.newPerson();
    await expect(personalData().exportPersonalData({ userId }, await asIdentity())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(personalData().erasePersonalData({ userId }, await vault.asService('stranger', []))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('the erasure', () => {
  it('destroys data key, number and PIN, keeps the claim of the number, and removes who signed; also twice', async () => {
    const [person, other] = [await newHolder(), await newHolder()];
    await erase(person.userId);
    await erase(person.userId);
    const card = await world.collection('cards').findOne({ _id: person.cardId });
    expect(card).toMatchObject({ userId: person.userId, last4: person.pan.slice(-4), challenges: [], shreddedAt: expect.any(Date) });
    for (const destroyed of ['dataKey', 'pan', 'pin']) expect(card).not.toHaveProperty(destroyed);
    const accesses = await world.collection('card_data_accesses').find({ userId: person.userId }).toArray();
    expect(accesses).toHaveLength(3);
    for (const access of accesses) {
      expect(access).not.toHaveProperty('wallet');
      expect(access).not.toHaveProperty('thumbprint');
    }
    expect(await world.collection('pan_claims').findOne({ cardId: person.cardId })).toMatchObject({ _id: card?.['panHash'] });
    const jwe = await sealTo(await vault.vaultKey(), JSON.stringify({ pan: person.pan }));
    expect(await vault.numbers.findCard({ jwe }, vault.processor)).toMatchObject({ cardId: person.cardId });
    expect(await other.view()).toHaveProperty('pan', other.pan);
    expect((await exportAll(person))[0]?.data).toMatchObject({ id: person.cardId, hasPin: false });
  });

  it('leaves nothing that shows, renews, seals or makes the number again', async () => {
    const person = await newHolder();
    const { cardId, userId, options, appKey } = person;
    const { signature } = await person.challenge(VIEW_DETAILS);
    await erase(userId);
    const request = { cardId, action: VIEW_DETAILS, signature, keyJson: appKey.keyJson };
    await expect(vault.data.revealCardData(request, options)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    await expect(person.challenge(VIEW_DETAILS)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    const expiry = { expMonth: 12, expYear: 2030 };
    await expect(vault.numbers.renewCardNumber({ cardId, ...expiry }, vault.processor)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    const order = { cardId, userId, ...expiry };
    await expect(vault.numbers.issueCardNumber(order, vault.processor)).rejects.toMatchObject({ code: 'CARD_STATE_CONFLICT' });
    expect(await world.collection('pan_claims').countDocuments({ cardId })).toBe(1);
  });

  it('completes the log from an access that a killed process left out, without its wallet', async () => {
    const person = await newHolder();
    const outbox = async () => (await world.collection('cards').findOne({ _id: person.cardId }))?.['outbox'];
    // The relay would add the records again.
    await expect.poll(outbox).toEqual([]);
    await world.collection('card_data_accesses').deleteMany({ userId: person.userId });
    const { cardId, userId, wallet } = person;
    const payload = { cardId, userId, last4: person.pan.slice(-4), action: 'view_details', wallet: wallet.address, thumbprint: 'x' };
    const event = { id: randomUUID(), type: 'card_data.details_viewed', at: new Date(), payload };
    await world.collection('cards').updateOne({ _id: cardId }, { $set: { outbox: [event] } });
    await erase(userId);
    const accesses = await world.collection('card_data_accesses').find({ userId }).toArray();
    expect(accesses).toMatchObject([{ _id: event.id, action: 'view_details' }]);
    expect(accesses[0]).not.toHaveProperty('wallet');
  });

  it('has one winner against a reveal at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await newHolder();
      const { signature } = await person.challenge(VIEW_DETAILS);
      const request = { cardId: person.cardId, action: VIEW_DETAILS, signature, keyJson: person.appKey.keyJson };
      const [shown] = await Promise.allSettled([vault.data.revealCardData(request, person.options), erase(person.userId)]);
      const accesses = await world.collection('card_data_accesses').find({ userId: person.userId }).toArray();
      expect(accesses).toHaveLength(shown.status === 'fulfilled' ? 4 : 3);
      for (const access of accesses) expect(access).not.toHaveProperty('wallet');
    }
  });

  it('leaves cards that a change of the master key passes over', async () => {
    const own = await createWorld();
    const first = await own.start();
    const person = await first.newPerson();
    const service = await first.asService('identity', [PRIVACY_SCOPES.eraseData]);
    await first.client(PersonalDataService).erasePersonalData({ userId: person.userId }, service);
    await first.close();
    const env = { VAULT_MASTER_KEYS: JSON.stringify([newMasterKey('k2'), own.masterKey]) };
    const next = await own.start({ env, intervalMs: 50 });
    const intact = await next.newPerson();
    const usage = async () => (await next.numbers.getKeyUsage({}, next.processor)).keys.map(({ keyId, cards }) => [keyId, Number(cards)]);
    await expect.poll(usage).toEqual([
      ['k2', 1],
      ['k1', 0],
    ]);
    expect(await intact.view()).toHaveProperty('pan');
    await own.close();
  });
});

describe('the audit log', () => {
  const listOf = async (actor: string) => {
    const audit = vault.client(AuditService);
    const { events } = await audit.listAuditEvents({ actor }, await asIdentity());
    const { events: all } = await audit.listAuditEvents(
      { afterSequence: (events[0]?.sequence ?? 1n) - 1n, limit: 500 },
      await asIdentity(),
    );
    const own = new Set(events.map(({ sequence }) => sequence));
    const outcomes = all.flatMap(({ record }) =>
      record.case === 'outcome' && own.has(record.value.callSequence) ? [record.value.code] : [],
    );
    return { events, outcomes };
  };

  it('has every secret that was shown or set, with its outcome', async () => {
    const person = await newHolder();
    const { events, outcomes } = await listOf(`user:${person.userId}`);
    const rpcs = events.map(({ record }) => (record.case === 'call' ? record.value.rpc.split('/')[1] : undefined));
    expect(rpcs).toEqual(['RevealCardData', 'SetPin', 'RevealCardData']);
    expect(outcomes).toEqual(['OK', 'OK', 'OK']);
    expect(events[0]?.record.value).toMatchObject({
      subjects: { card_id: person.cardId },
      reason: 'the cardholder signed for view_details',
    });
    expect(JSON.stringify(await world.collection('audit_events').find().toArray())).not.toContain(person.wallet.address);
    expect(await vault.client(AuditService).verifyAuditLog({}, await asIdentity())).toMatchObject({ firstBadSequence: 0n });
  });

  it('has one record of concurrent uses of one challenge, on two vaults', async () => {
    const other = await world.start();
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    const request = { cardId: person.cardId, action: VIEW_DETAILS, signature, keyJson: person.appKey.keyJson };
    await Promise.allSettled([vault, other, vault, other].map(({ data }) => data.revealCardData(request, person.options)));
    await other.close();
    expect((await listOf(`user:${person.userId}`)).outcomes).toEqual(['OK']);
  });

  it('keeps what cannot be recorded from being shown', async () => {
    const own = await createWorld();
    const broken = await own.start();
    const person = await broken.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    // No record has what this index needs. So every append fails, and none is tried again as a lost race would be.
    await own.collection('audit_events').createIndex({ hash: '2dsphere' });
    const request = { cardId: person.cardId, action: VIEW_DETAILS, signature, keyJson: person.appKey.keyJson };
    await expect(broken.data.revealCardData(request, person.options)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await own.close();
  });
});
