import { startPushService } from '@florin/notifications/testing/push-service';
import { pause } from '@florin/rpc/time';
import { createApiClient } from '../support/api-client.ts';
import { createCard, decide, raiseChallenge, registerPerson } from '../support/story.ts';
import { nativeWallet } from './native-wallet.ts';
import { onPlatform } from './on-platform.ts';
import { percentile, type Row } from './row.ts';
import { sized } from './sized.ts';

const SAMPLES = sized(300, 5);

const PATIENCE_MS = 60_000;

/**
 * Milliseconds from the call that raises a challenge until the push service has taken in the message that asks for the decision, one challenge after the other. Nothing of the
 * app is open: the message is all that the person hears of it.
 */
export const benchNotifications = (report: (line: string) => void): Promise<Row[]> =>
  onPlatform(report, async ({ urls }) => {
    const push = await startPushService();
    try {
      const api = createApiClient(urls.gateway);
      const person = await registerPerson(api, nativeWallet());
      const cardId = await createCard(api, person.token);
      const { endpoint, keys } = push.subscribe().subscription;
      await api.as(person.token).notifications.putNotificationSubscription({ endpoint, keys, language: 'en' });
      const times: number[] = [];
      report(`notifications: ${SAMPLES} challenges`);
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const began = performance.now();
        const challengeId = await raiseChallenge(api, person.token, cardId);
        const isIts = ({ shown }: (typeof push.pushed)[number]): boolean => shown.path === `?approve=${challengeId}`;
        while (!push.pushed.some(isIts)) {
          if (performance.now() - began > PATIENCE_MS) throw new Error(`nothing was pushed: ${push.faults.join(', ')}`);
          await pause(5);
        }
        times.push((push.pushed.find(isIts)?.at ?? Number.NaN) - began);
        await decide(api, person, challengeId, 'decline');
      }
      return [
        { name: 'challenge raised → taken in by the push service p50', value: percentile(times, 0.5), unit: 'ms' },
        { name: 'challenge raised → taken in by the push service p99', value: percentile(times, 0.99), unit: 'ms' },
        { name: 'challenge raised → taken in by the push service, worst', value: Math.max(...times), unit: 'ms' },
      ];
    } finally {
      await push.close();
    }
  });
