import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJsonHttp, type JsonHttp } from '@florin/rpc/json-http';
import { createSmtpMailer } from '@florin/rpc/mail';
import { systemRuntime } from '@florin/rpc/runtime';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestSmtpServer } from '../testing/smtp-server.ts';
import { createHttpKycProvider } from './http-kyc-provider.ts';
import { createSandboxKycProvider } from './sandbox-kyc-provider.ts';
import { createHttpSmsSender } from './sms-sender.ts';

const releases: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

const MAIL = { to: 'person@example.org', subject: 'Your code', text: 'Your code is 123456.', html: '<p>123456</p>', code: '123456' };

const startSmtp = async (options: SMTPServerOptions = {}) => {
  const server = await startTestSmtpServer(options);
  releases.push(server.close);
  return server;
};

const mailerFor = (url: string) => {
  const mailer = createSmtpMailer({ url, from: 'Florin <no-reply@florin.example>' });
  releases.push(mailer.close);
  return mailer;
};

describe('SMTP', () => {
  it('sends a mail as text and HTML from the configured sender', async () => {
    const { mails, port } = await startSmtp();
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
    await mailer.send(MAIL);
    await mailer.send({ ...MAIL, to: 'other@example.org' });
    expect(mails.map(({ to }) => to)).toEqual([['person@example.org'], ['other@example.org']]);
    expect(mails[0]).toMatchObject({ from: 'no-reply@florin.example' });
    expect(mails[0]?.body).toMatch(/^From: Florin <no-reply@florin.example>/m);
    expect(mails[0]?.body).toMatch(/^Subject: Your code/m);
    expect(mails[0]?.body).toContain('Your code is 123456.');
    expect(mails[0]?.body).toContain('<p>123456</p>');
  });

  it('fails when the server rejects the mail or is unavailable, and instead of sending a password unencrypted', async () => {
    const refusing = await startSmtp({ onRcptTo: (_address, _session, callback) => callback(new Error('no such person')) });
    await expect(mailerFor(`smtp://127.0.0.1:${refusing.port}`).send(MAIL)).rejects.toThrow();
    await expect(mailerFor('smtp://127.0.0.1:1').send(MAIL)).rejects.toThrow();
    const plain = await startSmtp({ allowInsecureAuth: true });
    await expect(mailerFor(`smtp://user:secret@127.0.0.1:${plain.port}`).send(MAIL)).rejects.toThrow();
    expect(plain.mails).toEqual([]);
  });
});

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };

/** A provider that records requests and returns a fixed response. */
const startProvider = async (answer: { status: number; body: string; headers?: Record<string, string> }) => {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  releases.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const http: JsonHttp = createJsonHttp({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    token: 'provider-token',
  });
  releases.push(http.close);
  return { seen, http };
};

describe('SMS over HTTP', () => {
  it('posts number and text with the token of the provider', async () => {
    const { seen, http } = await startProvider({ status: 202, body: '' });
    await createHttpSmsSender(http).send({ to: '+4915112345678', text: '123456 is your code', code: '123456' });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/api',
        headers: { authorization: 'Bearer provider-token' },
        body: { to: '+4915112345678', text: '123456 is your code' },
      },
    ]);
  });

  it.each([
    ['an error', { status: 500, body: '{"to":"+4915112345678"}' }],
    ['a refusal', { status: 400, body: '' }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
    ['a body that is not JSON', { status: 200, body: 'sent to +4915112345678' }],
  ])('fails on %s without repeating the message in the error', async (_what, answer) => {
    const { http } = await startProvider(answer);
    const error = await createHttpSmsSender(http)
      .send({ to: '+4915112345678', text: 'x', code: '123456' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('4915112345678');
  });
});

describe('KYC over HTTP', () => {
  const profile = { userId: '01890a5d-ac96-774b-bcce-b302099a8057', email: 'person@example.org' };
  const profileId = '01890a5d-ac96-774b-bcce-b302099a8058';

  it('creates a profile with the user id as idempotency key', async () => {
    const { seen, http } = await startProvider({ status: 201, body: JSON.stringify({ profileId, more: 1 }) });
    const provider = createHttpKycProvider(http);
    expect(await provider.createProfile(profile)).toBe(profileId);
    expect(await provider.createProfile({ ...profile, shareToken: 'shared' })).toBe(profileId);
    expect(seen[0]).toMatchObject({
      url: '/api/profiles',
      headers: { 'idempotency-key': profile.userId, authorization: 'Bearer provider-token' },
    });
    expect(seen.map(({ body }) => body)).toEqual([profile, { ...profile, shareToken: 'shared' }]);
  });

  it.each([
    ['a refusal', { status: 422, body: '{}' }],
    ['no id', { status: 200, body: '{}' }],
    ['an invalid id', { status: 200, body: '{"profileId":"x"}' }],
    ['an empty body', { status: 200, body: '' }],
    ['an oversized response', { status: 200, body: `"${'x'.repeat(100_000)}"` }],
  ])('fails to create a profile on %s', async (_what, answer) => {
    const { http } = await startProvider(answer);
    await expect(createHttpKycProvider(http).createProfile(profile)).rejects.toThrow();
  });

  it('creates a page for a profile', async () => {
    const answer = { url: 'https://kyc.example.org/s/1', expiresAt: '2026-03-01T13:00:00+01:00' };
    const { seen, http } = await startProvider({ status: 201, body: JSON.stringify(answer) });
    const expiresAt = new Date('2026-03-01T12:00:00.000Z');
    expect(await createHttpKycProvider(http).createSession(profileId)).toEqual({ url: answer.url, expiresAt });
    expect(seen).toMatchObject([{ method: 'POST', url: `/api/profiles/${profileId}/sessions`, body: {} }]);
  });

  it.each([
    ['a refusal', { status: 404, body: '{}' }],
    ['no time', { status: 200, body: '{"url":"https://kyc.example.org"}' }],
    ['an invalid time', { status: 200, body: '{"url":"https://kyc.example.org","expiresAt":"tomorrow"}' }],
    ['a URL that is not http', { status: 200, body: '{"url":"javascript:alert(1)","expiresAt":"2026-03-01T12:00:00Z"}' }],
  ])('fails to create a page on %s', async (_what, answer) => {
    const { http } = await startProvider(answer);
    await expect(createHttpKycProvider(http).createSession(profileId)).rejects.toThrow();
  });

  it('creates one profile per user in the sandbox', async () => {
    const provider = createSandboxKycProvider(systemRuntime);
    const id = await provider.createProfile(profile);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await provider.createProfile({ ...profile, shareToken: 'shared' })).toBe(id);
    expect(await provider.createProfile({ ...profile, userId: profileId })).not.toBe(id);
    await expect(provider.createProfile({ ...profile, shareToken: 'fail' })).rejects.toThrow();
  });
});
