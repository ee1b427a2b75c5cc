import { createHmac, generateKeyPairSync, type JsonWebKey, randomBytes, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createWebhookVerifier, isCheckpoint, isEvent, isEventOf, type PublicJwk, type VerifierOptions } from './index.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const ID = 'msg_01890a5d';
const EVENT = {
  id: '01890a5d-ac96-774b-bcce-b302099a8010',
  type: 'payment.cleared',
  timestamp: '2026-01-31T11:59:59.000Z',
  subject: 'payment/01890a5d-ac96-774b-bcce-b302099a8004',
  sequence: 1042,
  previousSequence: 1038,
  subjectSequence: 2,
  endpointId: '01890a5d-ac96-774b-bcce-b302099a8020',
  data: { status: 'settled' },
};
const BODY = JSON.stringify(EVENT);
const { endpointId } = EVENT;

const newSecret = (bytes = 32): string => `whsec_${randomBytes(bytes).toString('base64')}`;
const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) as JsonWebKey & PublicJwk };
};

const SECRET = newSecret();
const KEY = newKey();

const hmac = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest('base64')}`;
const ed25519 = (key: typeof KEY, content: string): string => `v1a,${sign(null, Buffer.from(content), key.privateKey).toString('base64')}`;

type Signer = (content: string) => string;

/** The headers of a delivery, signed as the caller says. */
const headersOf = (signer: Signer, { id = ID, at = NOW / 1000, body = BODY }: { id?: string; at?: number; body?: string } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': signer(`${id}.${at}.${body}`),
});

const signed: Signer = (content) => hmac(SECRET, content);
const now = () => NOW;
const verify = createWebhookVerifier({ secrets: [SECRET], now });

describe('a webhook verifier', () => {
  it('returns the message of a delivery that the secret signed', async () => {
    const delivery = await verify(BODY, headersOf(signed));
    expect(delivery).toEqual({ id: ID, sentAt: new Date(NOW), message: EVENT });
    if (!isEventOf(delivery.message, 'payment.cleared')) return expect.fail('not the event');
    expect(delivery.message.data.status).toBe('settled');
    expect(isEvent(delivery.message)).toBe(true);
    expect(isEventOf(delivery.message, 'card.issued')).toBe(false);
    expect(isCheckpoint(delivery.message)).toBe(false);
  });

  it.each([
    ['the headers of the Fetch API', (headers: Record<string, string>) => new Headers(headers)],
    [
      'other capitals',
      (headers: Record<string, string>) => Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), v])),
    ],
    [
      'lists of values',
      (headers: Record<string, string>) => Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, v.split(' ')])),
    ],
  ])('takes %s', async (_what, form) => {
    const two = (content: string) => `${hmac(newSecret(), content)} ${signed(content)}`;
    expect((await verify(BODY, form(headersOf(two)))).id).toBe(ID);
  });

  it('takes the bytes of a body, also those beyond ASCII', async () => {
    const body = JSON.stringify({ type: 'note', text: 'Zürich €' });
    const bytes = new TextEncoder().encode(body);
    expect((await verify(bytes, headersOf(signed, { body }))).message).toEqual({ type: 'note', text: 'Zürich €' });
  });

  it('takes either secret while one is replaced', async () => {
    const next = newSecret();
    const both = (content: string) => `${hmac(next, content)} ${signed(content)}`;
    for (const secrets of [[SECRET], [next], [next, SECRET], [newSecret(), next]]) {
      await expect(createWebhookVerifier({ secrets, now })(BODY, headersOf(both))).resolves.toMatchObject({ id: ID });
    }
  });

  it('takes the signature of a published key, among other keys and signatures', async () => {
    const other = newKey();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }) as PublicJwk;
    const mixed = (content: string) => `v2,AAAA ${ed25519(other, content)} ${ed25519(KEY, content)}`;
    const byKey = createWebhookVerifier({ keys: async () => [rsa, { ...other.jwk, use: 'enc' }, KEY.jwk], endpointId, now });
    await expect(byKey(BODY, headersOf(mixed))).resolves.toMatchObject({ id: ID });
    await expect(
      byKey(
        BODY,
        headersOf((content) => ed25519(other, content)),
      ),
    ).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
  });

  it('rejects a delivery to another endpoint, whatever signed it', async () => {
    const options = { secrets: [SECRET], keys: [KEY.jwk], endpointId, now };
    const bodies = [
      { ...EVENT, endpointId: '01890a5d-ac96-774b-bcce-b302099a8021' },
      { ...EVENT, endpointId: undefined },
    ];
    for (const signer of [signed, (content: string) => ed25519(KEY, content)]) {
      for (const body of bodies.map((event) => JSON.stringify(event))) {
        await expect(createWebhookVerifier(options)(body, headersOf(signer, { body }))).rejects.toMatchObject({
          code: 'ENDPOINT_MISMATCH',
        });
      }
      await expect(createWebhookVerifier(options)(BODY, headersOf(signer))).resolves.toMatchObject({ id: ID });
    }
  });

  it('rejects keys without an endpoint', () => {
    // @ts-expect-error The type demands the endpoint.
    expect(() => createWebhookVerifier({ keys: [KEY.jwk], now })).toThrow(expect.objectContaining({ code: 'ENDPOINT_INVALID' }));
  });

  it('asks for newer keys when a signature fits none', async () => {
    const asked: boolean[] = [];
    const keys = async (again = false) => {
      asked.push(again);
      return again ? [KEY.jwk] : [newKey().jwk];
    };
    const byKey = createWebhookVerifier({ keys, endpointId, now });
    await expect(
      byKey(
        BODY,
        headersOf((content) => ed25519(KEY, content)),
      ),
    ).resolves.toMatchObject({ id: ID });
    expect(asked).toEqual([false, true]);
  });

  it.each([
    ['another secret', headersOf((content) => hmac(newSecret(), content)), BODY],
    ['another body', headersOf(signed), BODY.replace('1042', '1043')],
    ['another id', { ...headersOf(signed), 'webhook-id': 'msg_2' }, BODY],
    ['another time', { ...headersOf(signed), 'webhook-timestamp': String(NOW / 1000 + 1) }, BODY],
    ['a signature of a key without that key', headersOf((content) => ed25519(KEY, content)), BODY],
    ['an HMAC that claims to be Ed25519', headersOf((content) => signed(content).replace('v1,', 'v1a,')), BODY],
    ['the beginning of a signature', headersOf((content) => signed(content).slice(0, 24)), BODY],
    ['a signature that is not base64', headersOf(() => 'v1,…'), BODY],
    ['an empty signature', headersOf(() => 'v1,'), BODY],
    ['no version', headersOf((content) => signed(content).slice(3)), BODY],
  ])('rejects %s', async (_what, headers, body) => {
    await expect(verify(body, headers)).rejects.toMatchObject({ name: 'WebhookError', code: 'SIGNATURE_INVALID' });
  });

  it.each([
    [-301, 'TIMESTAMP_TOO_OLD'],
    [301, 'TIMESTAMP_TOO_NEW'],
  ])('rejects a delivery of %i seconds from now', async (seconds, code) => {
    const at = NOW / 1000 + seconds;
    await expect(verify(BODY, headersOf(signed, { at }))).rejects.toMatchObject({ code });
    await expect(verify(BODY, headersOf(signed, { at: at - Math.sign(seconds) }))).resolves.toMatchObject({ id: ID });
    const patient = createWebhookVerifier({ secrets: [SECRET], toleranceSeconds: 600, now });
    await expect(patient(BODY, headersOf(signed, { at }))).resolves.toMatchObject({ id: ID });
  });

  it.each([
    ['webhook-id', undefined, 'HEADER_MISSING'],
    ['webhook-timestamp', undefined, 'HEADER_MISSING'],
    ['webhook-signature', undefined, 'HEADER_MISSING'],
    ['webhook-signature', '', 'HEADER_MISSING'],
    ['webhook-id', 'a.b', 'HEADER_INVALID'],
    ['webhook-id', 'x'.repeat(257), 'HEADER_INVALID'],
    ['webhook-timestamp', '1e9', 'HEADER_INVALID'],
    ['webhook-timestamp', '-1', 'HEADER_INVALID'],
    ['webhook-timestamp', '2026-01-31T12:00:00Z', 'HEADER_INVALID'],
    ['webhook-signature', Array.from({ length: 11 }, () => 'v1,AAAA').join(' '), 'HEADER_INVALID'],
    ['webhook-signature', `v1,${'A'.repeat(5000)}`, 'HEADER_INVALID'],
  ])('rejects the header %s %j', async (name, value, code) => {
    await expect(verify(BODY, { ...headersOf(signed), [name]: value })).rejects.toMatchObject({ code });
  });

  it.each(['', 'null', '[]', '{"type":1}', '{'])('rejects the signed body %j', async (body) => {
    await expect(verify(body, headersOf(signed, { body }))).rejects.toMatchObject({ code: 'BODY_INVALID' });
  });

  it('rejects a signed body that is not UTF-8', async () => {
    const body = Buffer.from([0x7b, 0x22, 0xff]);
    const content = Buffer.concat([Buffer.from(`${ID}.${NOW / 1000}.`), body]);
    const bytes = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(content)
      .digest('base64');
    await expect(
      verify(
        body,
        headersOf(() => `v1,${bytes}`),
      ),
    ).rejects.toMatchObject({ code: 'BODY_INVALID' });
  });

  it.each([
    [{}, 'SECRET_INVALID'],
    [{ secrets: [] }, 'SECRET_INVALID'],
    [{ secrets: [newSecret(23)] }, 'SECRET_INVALID'],
    [{ secrets: [newSecret(65)] }, 'SECRET_INVALID'],
    [{ secrets: [SECRET.slice('whsec_'.length)] }, 'SECRET_INVALID'],
    [{ secrets: ['whsec_not base64, not at all, and long'] }, 'SECRET_INVALID'],
    [{ keys: [], endpointId }, 'SECRET_INVALID'],
    [{ keys: [{ kty: 'EC' }], endpointId }, 'KEY_INVALID'],
    [{ keys: [KEY.jwk], endpointId: '' }, 'ENDPOINT_INVALID'],
    [{ secrets: [SECRET], toleranceSeconds: Number.NaN }, 'TOLERANCE_INVALID'],
    [{ secrets: [SECRET], toleranceSeconds: Number.POSITIVE_INFINITY }, 'TOLERANCE_INVALID'],
    [{ secrets: [SECRET], toleranceSeconds: -1 }, 'TOLERANCE_INVALID'],
  ] satisfies [VerifierOptions, string][])('rejects the configuration %j, and repeats no secret', (options: VerifierOptions, code) => {
    const { secrets = [] } = options;
    expect(() => createWebhookVerifier(options)).toThrow(expect.objectContaining({ code }));
    try {
      createWebhookVerifier(options);
    } catch (error) {
      for (const secret of secrets) expect(String(error)).not.toContain(secret);
    }
  });

  it('rejects deliveries by a key that is none', async () => {
    const byKey = createWebhookVerifier({ keys: [{ ...KEY.jwk, x: 'AAAA' }], endpointId, now });
    await expect(
      byKey(
        BODY,
        headersOf((content) => ed25519(KEY, content)),
      ),
    ).rejects.toMatchObject({ code: 'KEY_INVALID' });
  });
});
