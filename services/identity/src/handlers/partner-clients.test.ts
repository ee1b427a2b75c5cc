import { randomUUID } from 'node:crypto';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { signServiceToken } from '@florin/rpc/auth';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, newUser, type World } from '../testing/world.ts';

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({
    PARTNERS: JSON.stringify([
      { id: 'florin', name: 'Florin', domains: [] },
      { id: 'other', name: 'Other', domains: [] },
    ]),
  });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world?.close());

const newKey = async (name = 'books') => {
  const jwk = await exportJWK((await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })).privateKey);
  const { x = '', d = '' } = jwk;
  const clientId = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  const key = { kty: 'OKP', crv: 'Ed25519', x, d, kid: clientId, alg: 'EdDSA' } as const;
  return { clientId, key: { name, x }, token: (scopes = PARTNER_SCOPES) => signServiceToken({ key, audience: 'events', scopes }) };
};
type Key = Awaited<ReturnType<typeof newKey>>;

const invite = (partnerId = 'florin', scopes: string[] = [], requestId = randomUUID()) =>
  clients.invitations.createPartnerInvitation({ requestId, partnerId, scopes });

/** Registers a key of a partner by an invitation. */
const newClient = async (partnerId = 'florin', scopes: string[] = []): Promise<Key> => {
  const one = await newKey();
  const { bootstrapToken } = await invite(partnerId, scopes);
  await clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key: one.key });
  return one;
};
const idsOf = async ({ token }: Key) =>
  (await clients.partnerClients.listPartnerClients({}, as(await token()))).clients.map(({ clientId }) => clientId);

describe('a bootstrap token', () => {
  it('registers one key, under its thumbprint, with the scopes of the invitation', async () => {
    const one = await newKey('till');
    const { bootstrapToken } = await invite('other', ['events.read']);
    const { client } = await clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key: one.key });
    expect(client).toMatchObject({ clientId: one.clientId, partnerId: 'other', name: 'till', x: one.key.x, scopes: ['events.read'] });
    expect(client?.expiresAt).toBeUndefined();
    const again = await clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key: one.key });
    expect(again.client?.clientId).toBe(one.clientId);
    const other = clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key: (await newKey()).key });
    await expect(other).rejects.toMatchObject({ code: 'BOOTSTRAP_TOKEN_INVALID' });
  });

  it('is not used up by a key that cannot be registered', async () => {
    const { bootstrapToken } = await invite();
    const redeem = (key: Key['key']) => clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key });
    const theirs = await newClient('other');
    await expect(redeem(theirs.key)).rejects.toMatchObject({ code: 'PARTNER_KEY_IN_USE' });
    const mine = await newKey();
    expect((await redeem(mine.key)).client?.clientId).toBe(mine.clientId);
  });

  it('registers one of several keys that come at the same time', async () => {
    const { bootstrapToken } = await invite();
    const keys = await Promise.all([1, 2, 3, 4].map(() => newKey()));
    const ends = await Promise.allSettled(keys.map(({ key }) => clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key })));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is the same for a repeat, not stored, and no other for a request id', async () => {
    const requestId = randomUUID();
    const { bootstrapToken } = await invite('florin', [], requestId);
    expect((await invite('florin', [], requestId)).bootstrapToken).toBe(bootstrapToken);
    await expect(invite('other', [], requestId)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(JSON.stringify(await world.collection('partner_invitations').find().toArray())).not.toContain(bootstrapToken.slice(4));
  });

  it('expires after seven days, and is for a partner of the deployment and scopes of partners', async () => {
    const { bootstrapToken } = await invite();
    world.clock.advanceSeconds(7 * 24 * 60 * 60);
    const late = clients.partnerClients.redeemPartnerInvitation({ bootstrapToken, key: (await newKey()).key });
    await expect(late).rejects.toMatchObject({ code: 'BOOTSTRAP_TOKEN_INVALID' });
    const unknown = clients.partnerClients.redeemPartnerInvitation({ bootstrapToken: 'fbt_x', key: (await newKey()).key });
    await expect(unknown).rejects.toMatchObject({ code: 'BOOTSTRAP_TOKEN_INVALID' });
    await expect(invite('stranger')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(invite('florin', ['identity.users.read'])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('is issued to nobody without the scope', async () => {
    const request = { requestId: randomUUID(), partnerId: 'florin', scopes: [] };
    await expect(clients.partnerClients.createPartnerInvitation(request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { token } = await newClient();
    const asPartner = clients.partnerClients.createPartnerInvitation(request, as(await token()));
    await expect(asPartner).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the client of a partner', () => {
  it('registers, lists and revokes the keys of its partner, and no others', async () => {
    const [mine, theirs] = [await newClient(), await newClient('other')];
    const next = await newKey('next');
    const { client } = await clients.partnerClients.createPartnerClient({ key: next.key, scopes: ['events.read'] }, as(await mine.token()));
    expect(client).toMatchObject({ clientId: next.clientId, partnerId: 'florin', scopes: ['events.read'] });
    expect(await idsOf(mine)).toEqual(expect.arrayContaining([mine.clientId, next.clientId]));
    expect(await idsOf(mine)).not.toContain(theirs.clientId);
    const revoke = async (clientId: string, by: Key) =>
      clients.partnerClients.revokePartnerClient({ clientId, partnerId: '' }, as(await by.token()));
    await expect(revoke(theirs.clientId, mine)).rejects.toMatchObject({ code: 'PARTNER_KEY_NOT_FOUND' });
    await expect(revoke((await newKey()).clientId, mine)).rejects.toMatchObject({ code: 'PARTNER_KEY_NOT_FOUND' });
    await revoke(mine.clientId, theirs).catch(() => undefined);
    expect(await idsOf(mine)).toContain(mine.clientId);
    const listed = (await clients.partnerClients.listPartnerClients({}, as(await mine.token()))).clients;
    const registrars = new Map(listed.map(({ clientId, registeredBy }) => [clientId, registeredBy]));
    expect(registrars.get(next.clientId)).toBe(mine.clientId);
    expect(registrars.get(mine.clientId)).toMatch(/^[a-z-]+$/);
    expect((await clients.partnerClients.getPartnerClient({ clientId: next.clientId })).client?.registeredBy).toBe('');
    await revoke(next.clientId, mine);
    await revoke(next.clientId, mine);
    expect(await world.collection('partner_clients').findOne({ _id: next.clientId })).toMatchObject({ revokedBy: mine.clientId });
    expect(await idsOf(mine)).not.toContain(next.clientId);
    const named = clients.partnerClients.listPartnerClients({ partnerId: 'other' }, as(await mine.token()));
    await expect(named).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { partners } = await clients.partnerClients.listPartners({}, as(await mine.token()));
    expect(partners).toMatchObject([{ id: 'florin', name: 'Florin' }]);
  });

  it('gives no scope that its token does not carry', async () => {
    const reader = await newClient('florin', ['keys.manage']);
    const next = await newKey();
    const create = async (scopes: string[]) =>
      clients.partnerClients.createPartnerClient({ key: next.key, scopes }, as(await reader.token()));
    await expect(create(['events.read'])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await create([])).client?.scopes).toEqual(['keys.manage']);
    expect((await create(['keys.manage'])).client?.scopes).toEqual(['keys.manage']);
    const without = await newClient('florin', ['events.read']);
    await expect(idsOf(without)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is found while it may sign, and its key is nobody else’s, also after its end', async () => {
    const { clientId, key } = await newClient();
    const find = () => clients.partnerClients.getPartnerClient({ clientId });
    expect((await find()).client).toMatchObject({ clientId, partnerId: 'florin' });
    const at = (partnerId: string) => clients.keysOfPartners.createPartnerClient({ partnerId, key, scopes: [] });
    await expect(at('other')).rejects.toMatchObject({ code: 'PARTNER_KEY_IN_USE' });
    expect((await at('florin')).client).toMatchObject({ clientId });
    const narrower = clients.keysOfPartners.createPartnerClient({ partnerId: 'florin', key, scopes: ['events.read'] });
    await expect(narrower).rejects.toMatchObject({ code: 'PARTNER_KEY_IN_USE' });
    await clients.keysOfPartners.revokePartnerClient({ clientId, partnerId: 'florin' });
    await expect(find()).rejects.toMatchObject({ code: 'PARTNER_KEY_NOT_FOUND' });
    await expect(at('florin')).rejects.toMatchObject({ code: 'PARTNER_KEY_IN_USE' });
  });

  it('never has a key of the platform', async () => {
    const { x } = world.authority.serviceKey('gateway');
    await expect(clients.sandbox.admitPartner({ key: { name: 'me', x } })).rejects.toMatchObject({ code: 'PARTNER_KEY_IN_USE' });
  });
});

describe('the users of a partner', () => {
  it('are told to the partner, and those of others are not found, like nobody', async () => {
    const [mine, theirs] = [await newClient(), await newClient('other')];
    const { userId, email } = await newUser(clients);
    const read = async ({ token }: Key, id = userId) => clients.users.getUser({ userId: id }, as(await token()));
    expect((await read(mine)).user).toMatchObject({ id: userId, email, partnerId: 'florin' });
    for (const id of [userId, randomUUID()]) await expect(read(theirs, id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    const batch = clients.users.batchGetUsers({ userIds: [userId] }, as(await mine.token()));
    await expect(batch).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const without = await newClient('florin', ['payments.read']);
    await expect(read(without)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('are checked for services', async () => {
    const { userId } = await newUser(clients);
    const check = (partnerId: string, id = userId) => clients.usersAsCard.checkUserPartner({ userId: id, partnerId });
    await expect(check('florin')).resolves.toBeDefined();
    for (const wrong of [check('other'), check('florin', randomUUID())])
      await expect(wrong).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });
});

describe('a sandbox', () => {
  it('admits whoever asks to its first partner, for 30 days from the latest request', async () => {
    const { clientId, key } = await newKey();
    const admit = async () => (await clients.sandbox.admitPartner({ key })).client;
    expect(await admit()).toMatchObject({ clientId, partnerId: 'florin', scopes: PARTNER_SCOPES });
    world.clock.advanceSeconds(29 * 24 * 60 * 60);
    await admit();
    world.clock.advanceSeconds(29 * 24 * 60 * 60);
    expect((await clients.partnerClients.getPartnerClient({ clientId })).client?.clientId).toBe(clientId);
    world.clock.advanceSeconds(2 * 24 * 60 * 60);
    await expect(clients.partnerClients.getPartnerClient({ clientId })).rejects.toMatchObject({ code: 'PARTNER_KEY_NOT_FOUND' });
  });
});
