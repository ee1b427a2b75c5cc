import { randomUUID } from 'node:crypto';
import { playStory } from '../demo/play-story.ts';
import type { BackOfficeCall } from '../demo/receive-webhooks.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { fetchFromOwnAddress, fromOwnAddress } from '../support/customer-address.ts';
import { createCard, newEmail, newWallet, raiseChallenge, registerPerson, requestEmailCode, signIn, wrongCode } from '../support/story.ts';

/** The actions that the demo lacks: a withdrawal, an open challenge, and a code that is refused. */
const playTheRest = async (api: ApiClient): Promise<void> => {
  const { token } = await registerPerson(api);
  const headers = { 'idempotency-key': randomUUID() };
  await api.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: '5000000000000000000' }, headers });
  await api.call('POST', '/sandbox/withdrawals', { token, body: { token: 'EURe', amount: '1000000000000000000' } });
  await raiseChallenge(api, token, await createCard(api, token));
  const tokens = await signIn(api, newWallet());
  const email = newEmail();
  const otp = await requestEmailCode(api, tokens.accessToken, email);
  await api.request('POST', '/user', { token: tokens.accessToken, body: { email, otp: wrongCode(otp) } });
};

/** Plays the demo again and again, with webhooks, for a gateway that is `BEHIND_PROXY`. @param call calls the events service as the partner's back office */
export const startDemoLoad = (url: string, call: BackOfficeCall) => {
  const api = createApiClient(url);
  let stopped = false;
  let rounds = 0;
  const run = async (): Promise<void> => {
    while (!stopped) {
      await playStory(url, () => undefined, { events: true, webhooks: { call }, fetch: fetchFromOwnAddress() });
      await playTheRest(fromOwnAddress(api));
      rounds += 1;
    }
  };
  const running = run();
  return {
    rounds: () => rounds,
    /** Rejects when a step of the demo fails. */
    failed: running.then(() => new Promise<never>(() => undefined)),
    stop: async (): Promise<void> => {
      stopped = true;
      // Why it has failed is told above.
      await running.catch(() => undefined);
    },
  };
};
