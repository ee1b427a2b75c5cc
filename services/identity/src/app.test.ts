import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { createLogger } from '@florin/rpc/observe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, createWorld, newUser, type World, wrong } from './testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const OUTSIDE = {
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'no-reply@florin.example',
  SMS_URL: 'http://127.0.0.1:2526',
  SMS_TOKEN: 'sms-token',
  KYC_URL: 'http://127.0.0.1:2527',
  KYC_TOKEN: 'kyc-token',
  KYC_WEBHOOK_SECRET: 'kyc-webhook-secret',
};

describe('configuration', () => {
  it('names every missing outside system when the sandbox is off', async () => {
    const start = world.start({}, { SANDBOX: 'false', ONBOARDING: 'open' });
    await expect(start).rejects.toMatchObject({ name: 'ConfigError' });
    await expect(start).rejects.toThrow(/SMTP_URL.*SMS_URL.*KYC_URL/);
  });

  it('requires ONBOARDING outside the sandbox', async () => {
    const real = { ...OUTSIDE, SANDBOX: 'false' };
    await expect(world.start({}, real)).rejects.toThrow('ONBOARDING: is required with SANDBOX=false');
    await expect(world.start({}, { ...real, ONBOARDING: 'open' })).resolves.toBeDefined();
  });

  it.each([
    ['MAIL_FROM', 'SMTP_URL'],
    ['SMS_TOKEN', 'SMS_URL'],
    ['KYC_TOKEN', 'KYC_URL'],
    ['KYC_WEBHOOK_SECRET', 'KYC_URL'],
  ])('requires %s with %s', async (missing, url) => {
    await expect(world.start({}, { ...OUTSIDE, [missing]: '' })).rejects.toThrow(`${missing}: is required with ${url}`);
  });

  it.each([
    ['IDENTITY_MASTER_KEYS', 'short'],
    ['PARTNERS', '{}'],
    ['PARTNERS', 'nonsense'],
    ['CHAIN_ID', '0'],
    ['ONBOARDING', 'closed'],
    ['TERMS', '{}'],
    ['TERMS', '[{"type":"general","name":"General","url":"not-an-address","version":"1"}]'],
    ['SOURCE_OF_FUNDS', '[{"question":"Why?","answers":[]}]'],
    ['KYC_WEBHOOK_SECRET', 'too short'],
    ['SMTP_URL', 'https://mail.example.org'],
    ['LEDGER_URL', 'ledger:50053'],
  ])('rejects %s=%s with an error that names the variable and not its value', async (name, value) => {
    const error = await (async () => world.start({}, { [name]: value }))().catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(name);
    if (value.length > 2) expect(String(error)).not.toContain(value);
  });
});

describe('legal documents', () => {
  it('must be configured when accounts wait for them', async () => {
    const real = { ...OUTSIDE, SANDBOX: 'false' };
    await expect(world.start({}, { ...real, ONBOARDING: 'kyc' })).rejects.toThrow('TERMS: is required with ONBOARDING=kyc');
    const terms = '[{"type":"general","name":"General","url":"https://terms.example.org","version":"1"}]';
    await expect(world.start({}, { ...real, ONBOARDING: 'kyc', TERMS: terms })).resolves.toBeDefined();
    await expect(world.start({}, { ...real, ONBOARDING: 'open' })).resolves.toBeDefined();
  });
});

describe('the outbox', () => {
  it('is served only in the sandbox', async () => {
    const real = world.clientsOf((await world.start({}, { ...OUTSIDE, SANDBOX: 'false', ONBOARDING: 'open' })).url);
    await expect(real.sandbox.listOutboxMessages({ to: 'person@example.org' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await expect(real.sandbox.moveKyc({ status: KycStatus.APPROVED })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    const url = 'http://localhost:3000/';
    const request = { address: `0x${'1'.repeat(40)}`, domain: 'localhost:3000', uri: url };
    await expect(real.auth.createSiweMessage(request)).rejects.toMatchObject({ code: 'DOMAIN_NOT_ALLOWED' });
  });

  it('keeps twenty messages per recipient, newest first, and requires its scope', async () => {
    const clients = world.clientsOf((await world.start()).url);
    const { email } = await newUser(clients);
    for (let hour = 0; hour < 5; hour += 1) {
      world.clock.advanceSeconds(3600);
      const { userToken: token } = await newUser(clients);
      for (let count = 0; count < 5; count += 1) {
        await clients.codes.sendEmailCode({ email }, as(token));
        world.clock.advanceSeconds(30);
      }
    }
    const { messages } = await clients.sandbox.listOutboxMessages({ to: email });
    expect(messages).toHaveLength(20);
    const times = messages.map(({ sentAt }) => Number(sentAt?.seconds));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    await expect(clients.sandbox.listOutboxMessages({ to: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const token = await world.authority.serviceToken('card', 'identity', [IDENTITY_SCOPES.verifyPhones]);
    await expect(clients.sandbox.listOutboxMessages({ to: email }, as(token))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { userToken } = await newUser(clients);
    await expect(clients.sandbox.listOutboxMessages({ to: email }, as(userToken))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('logs', () => {
  it('contain no code, token, e-mail address or phone number when calls fail', async () => {
    const lines: string[] = [];
    const logger = createLogger('identity', 'trace', { write: (line: string) => void lines.push(line) });
    let unsent = '';
    const failing = new Error('could not reach person@example.org at +4915112345678');
    const clients = world.clientsOf((await world.start({ logger })).url);
    const broken = world.clientsOf(
      (
        await world.start({
          logger,
          mailer: {
            send: ({ to, text, code }) => {
              unsent = code;
              return Promise.reject(new Error(`${failing.message}: refused ${to}: ${text}`));
            },
          },
          kyc: {
            createProfile: ({ email }) => Promise.reject(new Error(`refused ${email}`, { cause: failing })),
            createSession: (profileId) => Promise.reject(new Error(`no page for ${profileId}`)),
          },
        })
      ).url,
    );

    const user = await newUser(clients);
    const phone = '+4915112345678';
    await clients.codes.sendPhoneCode({ phone }, as(user.userToken)).catch(() => undefined);
    await clients.users.registerUser({ email: user.email, otp: wrong(user.otp) }, as(user.walletToken)).catch(() => undefined);
    await clients.auth.refreshSession({ refreshToken: user.refreshToken });
    await clients.auth.refreshSession({ refreshToken: `${user.refreshToken}x` }).catch(() => undefined);
    const { accessToken } = await clients.auth
      .refreshSession({ refreshToken: user.refreshToken })
      .then(({ tokens }) => tokens ?? { accessToken: '' });
    await expect(broken.codes.sendEmailCode({ email: 'other.person@example.org' }, as(accessToken))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await expect(clients.users.registerUser({ email: 'not an address', otp: '1' }, as(user.walletToken))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    await clients.codes.sendEmailCode({ email: user.email }, as('not.a.token')).catch(() => undefined);

    const text = lines.join('');
    expect(lines.length).toBeGreaterThan(10);
    expect(text).toContain('rpc failed');
    expect(unsent).toMatch(/^\d{6}$/);
    const secrets = [
      unsent,
      user.otp,
      user.walletToken,
      user.userToken,
      accessToken,
      user.refreshToken,
      user.email,
      user.email.toLowerCase(),
      phone,
      'person@example.org',
    ];
    for (const secret of secrets) expect(text.includes(secret), 'a secret is in the logs').toBe(false);
  });
});
