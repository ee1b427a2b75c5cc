import { describeTraffic, openCustomers, type TrafficResult } from '../traffic.ts';
import type { Deployment } from './stage.ts';

/** Runs a change under traffic, of `rate` requests per second. @returns what the traffic saw */
export const underTraffic = async (
  { api, report }: Deployment,
  what: string,
  change: () => Promise<void>,
  rate?: number,
): Promise<{ result: TrafficResult; problems: string[] }> => {
  const customers = await openCustomers(api);
  const traffic = customers.send(rate);
  const begun = Date.now();
  try {
    await change();
  } finally {
    await traffic.stop();
  }
  const result = await traffic.stop();
  report(`${what}: ${Math.round((Date.now() - begun) / 1000)} s, ${describeTraffic(result)}`);
  return { result, problems: result.failures.length === 0 ? await customers.audit() : [] };
};

/** The requests that failed, as one problem. */
export const failuresOf = (what: string, { failures, requests }: TrafficResult): string[] =>
  failures.length === 0 ? [] : [`${failures.length} of ${requests} requests failed during ${what}: ${failures[0]}`];
