import { Language, NotificationKind } from '@florin/proto/notifications/v1/notification_service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const SUBSCRIPTION = {
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/x',
  expirationTime: null,
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  language: 'fr',
};

describe('subscriptions', () => {
  it('are registered as a browser gives them', async () => {
    const answer = await gateway.asUser('PUT /notifications/subscriptions', SUBSCRIPTION);
    expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^[\w-]{43}$/), language: 'en' } });
    expect(gateway.callOf('putSubscription')?.request).toMatchObject({
      ...{ endpoint: SUBSCRIPTION.endpoint, ...SUBSCRIPTION.keys, language: Language.FR },
    });
  });

  it.each([
    ['a language that is not spoken', { language: 'it' }],
    ['a key that is none', { keys: { ...SUBSCRIPTION.keys, p256dh: 'x' } }],
    ['no endpoint', { endpoint: '' }],
  ])('are rejected with %s', async (_what, changed) => {
    expect(await gateway.asUser('PUT /notifications/subscriptions', { ...SUBSCRIPTION, ...changed })).toMatchObject({ status: 422 });
  });

  it('are removed, by users only', async () => {
    const target = `DELETE /notifications/subscriptions/${'a'.repeat(43)}`;
    expect(await gateway.asUser(target)).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.callOf('deleteSubscription')?.request).toMatchObject({ id: 'a'.repeat(43) });
    expect(await gateway.asWallet(target)).toMatchObject({ status: 403 });
  });
});

describe('preferences', () => {
  it('have words and times of day', async () => {
    const { body } = await gateway.asUser('GET /notifications/preferences');
    expect(body).toMatchObject({
      preferences: {
        kinds: { challenge: { push: true, email: false } },
        quietHours: { from: '22:00', to: '07:05', timeZone: 'Europe/Berlin' },
        language: 'de',
      },
      devices: [{ language: 'en' }],
    });
    const { preferences } = body as { preferences: object };
    expect(await gateway.asUser('PUT /notifications/preferences', preferences)).toMatchObject({ status: 200, body: preferences });
    const { request } = gateway.callOf('setPreferences') ?? {};
    expect(request.preferences.kinds).toHaveLength(8);
    expect(request.preferences.kinds).toContainEqual(expect.objectContaining({ kind: NotificationKind.CHALLENGE, push: true }));
    expect(request.preferences.quietHours).toMatchObject({ fromMinute: 1320, toMinute: 425 });
  });

  it('are rejected with a time that is none, and with a kind missing', async () => {
    const { body } = await gateway.asUser('GET /notifications/preferences');
    const { preferences } = body as { preferences: { kinds: object } };
    const wrong = { ...preferences, quietHours: { from: '24:00', to: '07:00', timeZone: 'Europe/Berlin' } };
    expect(await gateway.asUser('PUT /notifications/preferences', wrong)).toMatchObject({ status: 422 });
    const { challenge, ...kinds } = preferences.kinds as { challenge: object };
    expect(await gateway.asUser('PUT /notifications/preferences', { ...preferences, kinds })).toMatchObject({ status: 422 });
  });
});

describe('capabilities', () => {
  it('name the key of Web Push, none without one, and nothing while the service is away or there is none', async () => {
    const notifications = async (url = gateway.app.url) =>
      ((await (await fetch(`${url}/capabilities`)).json()) as { notifications?: object }).notifications;
    expect(await notifications()).toEqual({ publicKey: expect.stringMatching(/^B[\w-]{86}$/) });
    gateway.fakes.stub('getPushKey', () => ({}));
    expect(await notifications()).toEqual({});
    gateway.refuse('getPushKey', 'SERVICE_UNAVAILABLE');
    expect(await notifications()).toBeUndefined();
    const without = await gateway.another({ NOTIFICATIONS_URL: undefined });
    expect(await notifications(without.url)).toBeUndefined();
    await without.close();
  });
});
