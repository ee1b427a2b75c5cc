import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { APP_KEY, CARD_ID, JWE, THUMBPRINT, WALLET } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const CHALLENGE = `GET /pci/cards/${CARD_ID}/challenge`;
const REVEAL = `POST /pci/cards/${CARD_ID}/reveal`;
const PIN = `PUT /pci/cards/${CARD_ID}/pin`;
const reveal = { action: 'view-details', signature: '0x1234', key: APP_KEY };

describe('the vault’s keys', () => {
  it('are public and may be cached', async () => {
    const { status, body, headers } = await gateway.ask('GET /pci/keys');
    expect([status, body]).toEqual([200, { keys: [{ ...APP_KEY, kid: THUMBPRINT, use: 'enc', alg: 'ECDH-ES' }] }]);
    expect(headers.get('cache-control')).toContain('public');
  });

  it('never include a private part', async () => {
    gateway.fakes.stub('listVaultKeys', () => ({
      jwksJson: JSON.stringify({ keys: [{ ...APP_KEY, d: 'secret', kid: THUMBPRINT, use: 'enc', alg: 'ECDH-ES' }] }),
    }));
    expect((await gateway.ask('GET /pci/keys')).text).not.toContain('secret');
  });
});

describe('a card data challenge', () => {
  it.each([
    ['view-details', CardDataAction.VIEW_DETAILS],
    ['view-pin', CardDataAction.VIEW_PIN],
    ['set-pin', CardDataAction.SET_PIN],
  ])('is created for %s', async (action, wire) => {
    const { status, body } = await gateway.asUser(`${CHALLENGE}?action=${action}&thumbprint=${THUMBPRINT}`);
    expect([status, body]).toMatchObject([200, { domain: { name: 'Florin Card Data' }, primaryType: 'Message' }]);
    expect(gateway.callOf('createCardDataChallenge')?.request).toMatchObject({ cardId: CARD_ID, action: wire, thumbprint: THUMBPRINT });
  });

  it.each(['', `?action=view-all&thumbprint=${THUMBPRINT}`, '?action=view-pin', '?action=view-pin&thumbprint=abc'])(
    'is rejected for %j',
    async (query) => {
      expect(await gateway.asUser(CHALLENGE + query)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    },
  );
});

describe('a reveal', () => {
  it('relays the members of the key and the JWE unread', async () => {
    const key = { ...APP_KEY, ext: true, key_ops: [] };
    expect(await gateway.asUser(REVEAL, { ...reveal, key })).toMatchObject({ status: 200, body: { jwe: JWE } });
    const { keyJson, action } = gateway.callOf('revealCardData')?.request ?? {};
    expect([JSON.parse(keyJson), action]).toEqual([APP_KEY, CardDataAction.VIEW_DETAILS]);
  });

  it.each([
    ['CARD_NOT_REVEALABLE', 403],
    ['CARD_DATA_LIMIT_REACHED', 429],
    ['RECEIVING_KEY_INVALID', 422],
    ['INVALID_SIGNATURE', 400],
    ['PIN_NOT_SET', 409],
    ['CARD_NOT_FOUND', 404],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('revealCardData', code);
    expect(await gateway.asUser(REVEAL, reveal)).toMatchObject({ status, body: { success: false, error: code } });
  });

  it.each([
    { ...reveal, action: 'set-pin' },
    { ...reveal, key: { ...APP_KEY, crv: 'P-384' } },
    { ...reveal, key: { ...APP_KEY, x: 'short' } },
    { ...reveal, key: 'key' },
    { ...reveal, signature: 'hello' },
  ])('is rejected with %j', async (body) => {
    expect(await gateway.asUser(REVEAL, body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });
});

describe('a PIN', () => {
  it('is passed on sealed', async () => {
    expect(await gateway.asUser(PIN, { jwe: JWE, signature: '0x1234' })).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.callOf('setPin')?.request).toMatchObject({ cardId: CARD_ID, jwe: JWE, signature: '0x1234' });
  });

  it.each([{ jwe: 'a.b.c.d.e', signature: '0x12' }, { jwe: JWE }, { pin: '1234' }])('is rejected as %j', async (body) => {
    expect(await gateway.asUser(PIN, body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });

  it.each([
    ['PIN_TOO_SIMPLE', 422],
    ['SEALED_MESSAGE_INVALID', 400],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('setPin', code);
    expect(await gateway.asUser(PIN, { jwe: JWE, signature: '0x12' })).toMatchObject({ status, body: { error: code } });
  });
});

describe('the access log', () => {
  it('names the wallet and the key of each use, and the sealing for the processor', async () => {
    const { body } = await gateway.asUser('GET /pci/access-log');
    expect(body).toMatchObject({
      data: [{ action: 'view-pin', wallet: WALLET, thumbprint: THUMBPRINT }, { action: 'seal' }],
      pagination: { hasNext: true },
    });
    expect((body as { data: object[] }).data[1]).not.toHaveProperty('wallet');
  });

  it('is that of one card if asked', async () => {
    await gateway.asUser(`GET /pci/access-log?cardId=${CARD_ID}`);
    expect(gateway.callOf('listCardDataAccess')?.request).toMatchObject({ cardId: CARD_ID });
  });
});
