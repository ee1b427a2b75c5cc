import type { Platform } from '@florin/local';
import { createPersistentClient } from '../persistent-client.ts';
import type { FaultReceiver } from './receiver.ts';

type Scene = { platform: Platform; receiver: FaultReceiver; token: () => Promise<string> };

/** Gaps of an endpoint about which the platform is asked. */
const GAPS = 5;

/**
 * The platform's record of deliveries that an endpoint misses: its place, and the log of attempts, by which a delivery that was never made differs from one that the receiver
 * has lost. The run's `deliveries.log` has everything that the receiver has seen.
 */
export const evidenceOf = async ({ platform, receiver, token }: Scene, path: string): Promise<string[]> => {
  const api = createPersistentClient(platform.urls.gateway);
  const base = `/webhook-endpoints/${receiver.idOf(path)}`;
  const get = async (asked: string): Promise<string> => JSON.stringify(await api.call('GET', asked, { token: await token() }));
  const lines = [`${path}: the endpoint: ${await get(base)}`];
  for (const { last } of receiver.gaps(path).slice(0, GAPS)) {
    lines.push(`${path}: attempts to deliver ${last}: ${await get(`${base}/attempts?sequence=${last}`)}`);
  }
  return lines;
};
