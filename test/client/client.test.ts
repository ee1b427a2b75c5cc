import { type ClientOptions, createClient, createProofKey } from '@florin/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardWithMoney, signUp } from '../support/client-sign-up.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newPhone, signIn } from '../support/story.ts';

const MERCHANT = { id: 'M-1', name: 'Bookshop', city: 'Berlin', country: 'DE', categoryCode: '5942' };
/** Longer than an access token lives. */
const LONG_SECONDS = 16 * 60;

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

/** A client whose responses are checked against the document, and what it has requested. */
const open = (options: Partial<ClientOptions> = {}, lose: (path: string) => boolean = () => false) => {
  const requests: string[] = [];
  const client = createClient({
    url: platform.url,
    retryPauseMs: 20,
    now: () => platform.clock.now().getTime(),
    fetch: async (url, init) => {
      const path = url.slice(platform.url.length);
      requests.push(`${init.method} ${path}`);
      const response = await platform.checkedFetch(url, init);
      if (lose(path)) throw new TypeError('the connection was lost');
      return response;
    },
    ...options,
  });
  return { client, requests };
};

describe('a client of the platform', () => {
  it('signs up, and stays signed in when its tokens expire', async () => {
    const { client, requests } = open();
    const { wallet, userId } = await signUp(client);
    expect(await client.session.userId()).toBe(userId);
    expect((await client.user.getUser()).wallets.map(({ address }) => address)).toEqual([wallet.address]);
    platform.clock.advanceSeconds(LONG_SECONDS);
    requests.length = 0;
    const users = await Promise.all(Array.from({ length: 20 }, () => client.user.getUser()));
    expect(new Set(users.map(({ id }) => id))).toEqual(new Set([userId]));
    expect(requests.filter((request) => request === 'POST /auth/refresh')).toHaveLength(1);
  });

  it('refreshes once when twenty calls find that the token has expired', async () => {
    const { now } = Date;
    const started = platform.clock.now().getTime() - now();
    const { client, requests } = open({ now: () => now() + started });
    await signUp(client);
    platform.clock.advanceSeconds(LONG_SECONDS);
    requests.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => client.cards.listCards()));
    expect(requests.filter((request) => request === 'POST /auth/refresh')).toHaveLength(1);
    expect(requests.filter((request) => request === 'GET /cards')).toHaveLength(40);
  });

  it('pays once when the answer was lost and the request is repeated', async () => {
    let lost = 0;
    const { client, requests } = open({}, (path) => {
      if (path !== '/sandbox/payments' || lost >= 2) return false;
      lost += 1;
      return true;
    });
    await signUp(client);
    const cardId = await cardWithMoney(client);
    const paid = await client.sandbox.createPayment({ cardId, amount: '4999', currency: 'EUR', merchant: MERCHANT });
    expect(paid.approved).toBe(true);
    expect(requests.filter((request) => request === 'POST /sandbox/payments')).toHaveLength(3);
    const transactions = await Array.fromAsync(client.cards.listCardTransactions({ cardId }));
    expect(transactions.map(({ id, heldAmount }) => [id, heldAmount])).toEqual([[paid.transactionId, '4999']]);
  });

  it('creates one card when every first answer is lost', async () => {
    const seen = new Set<string>();
    const { client } = open({}, (path) => {
      const isFirst = !seen.has(path);
      seen.add(path);
      return isFirst && path.startsWith('/cards/');
    });
    await signUp(client);
    const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone: newPhone() });
    await client.cards.freezeCard({ cardId });
    expect((await Array.fromAsync(client.cards.listCards())).map(({ id, status }) => [id, status])).toEqual([[cardId, 'frozen']]);
  });

  it('returns the codes of an operation', async () => {
    const { client } = open();
    await signUp(client);
    const early = await client.cards.createVirtualCard({ cardName: 'Everyday' }).result();
    expect(early).toMatchObject({
      ok: false,
      error: { code: 'PHONE_REQUIRED', status: 422, requestId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    const wrong = await client.cards.createVirtualCard({ cardName: '', phone: '12' }).result();
    expect(wrong).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_FAILED', fields: { cardName: expect.any(String), phone: expect.any(String) } },
    });
    const unknown = await client.cards.getCard({ cardId: '01890a5d-ac96-774b-bcce-b302099a8002' }).result();
    expect(unknown).toMatchObject({ ok: false, error: { code: 'CARD_NOT_FOUND', status: 404 } });
  });

  it('tells without a session that there is none', async () => {
    const { client } = open();
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  it('reads all pages of a list', async () => {
    const { client } = open();
    await signUp(client);
    for (const amount of ['1', '2', '3']) await client.sandbox.createDeposit({ token: 'EURe', amount });
    expect(await Array.fromAsync(client.userMovements.listDeposits({ limit: 1 }), ({ amount }) => amount)).toEqual(['3', '2', '1']);
    expect(await client.userMovements.listStatementCsv()).toMatch(/^\S+,\S+[\s\S]*deposit/);
  });

  it('logs out, and is told so', async () => {
    const { client, requests } = open();
    const states: string[] = [];
    client.session.onChange((state) => states.push(state));
    await signUp(client);
    await client.session.end();
    expect(states).toEqual(['signed-in', 'signed-out']);
    expect(requests.at(-1)).toBe('POST /auth/logout');
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('proves its key with every request of a bound session', async () => {
    const { client } = open({ proofKey: await createProofKey() });
    await signUp(client);
    platform.clock.advanceSeconds(LONG_SECONDS);
    await Promise.all([client.user.getUser(), client.cards.listCards()]);
    expect(await client.session.isSignedIn()).toBe(true);
  });
});

describe('a client that is limited', () => {
  it('waits no longer than it may, and says how long is left', async () => {
    const { url } = await platform.startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const requests: string[] = [];
    const count = async (address: string, init: RequestInit): Promise<Response> => {
      requests.push(address);
      return fetch(address, init);
    };
    const { client } = open();
    const { wallet } = await signUp(client);
    const { accessToken: token } = await signIn(platform.api, wallet);
    const limited = createClient({ url, token, fetch: count });
    const outcomes = [];
    for (let index = 0; index < 4; index += 1) outcomes.push(await limited.terms.listUserTerms().result());
    const last = outcomes.at(-1);
    expect(last).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED', status: 429, retryAfterSeconds: expect.any(Number) } });
    // A patient client does not ask again before the time that it was told.
    requests.length = 0;
    const patient = createClient({ url, token, fetch: count, maxRetryAfterSeconds: 60 });
    await expect(patient.terms.listUserTerms({}, { signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(requests).toHaveLength(1);
  });
});
