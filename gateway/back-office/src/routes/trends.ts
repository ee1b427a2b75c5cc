import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { withinRequest } from '@florin/rpc/client';
import { z } from 'zod';
import { TREND_DAYS, type Trends } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Dependencies } from './dependencies.ts';
import { createParts, numberOf } from './overview-parts.ts';
import { programRead } from './read-program.ts';

const DAY_MS = 86_400_000;

const query = z.strictObject({
  days: z.enum(TREND_DAYS.map(String) as [string, ...string[]], { error: `must be one of ${TREND_DAYS.join(', ')}` }).transform(Number),
});

/** The begins of the last days of UTC, today included, and of tomorrow. */
const boundsOf = (now: Date, days: number): Date[] => {
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  return Array.from({ length: days + 1 }, (_, index) => new Date(tomorrow - (days - index) * DAY_MS));
};

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Activity of the last days: counts of the services, which say nothing of a person. */
export const trendEndpoints = ({ services, record, runtime }: Dependencies): Endpoint[] => {
  const read = async (days: number, call: { requestId: string }): Promise<Trends> => {
    const bounds = boundsOf(runtime.now(), days);
    const wire = bounds.map(timestampFromDate);
    const since = bounds[0] ?? runtime.now();
    const [from, to] = [timestampFromDate(since), timestampFromDate(bounds.at(-1) ?? runtime.now())];
    const { part, unavailable } = createParts();
    const options = withinRequest(call);
    const [people, payments, asked] = await Promise.all([
      part('signUps', services.users.countUsers({ bounds: wire }, options)),
      part('payments', services.payments.countPayments({ from, to, bounds: wire }, options)),
      part('challenges', services.challenges.countChallenges({ since: from }, options)),
    ]);
    const declined = Object.entries(payments?.declined ?? {}).map(([reason, count]) => ({ reason, count: Number(count) }));
    return {
      from: since.toISOString(),
      signUps: people?.between.map((count, index) => ({ day: dayOf(bounds[index] ?? since), count: Number(count) })) ?? [],
      payments: {
        approved: numberOf(payments?.approved),
        declined: declined.sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason, 'en')),
        volumes:
          payments?.volumes.map(({ approved, amount, declined: refused }, index) => {
            return { day: dayOf(bounds[index] ?? since), approved: Number(approved), amount, declined: Number(refused) };
          }) ?? [],
        currency: payments?.currency ?? '',
        decimals: payments?.decimals ?? 0,
      },
      challenges: {
        approved: numberOf(asked?.approved),
        declined: numberOf(asked?.declined),
        expired: numberOf(asked?.expired),
        cancelled: numberOf(asked?.cancelled),
        failed: numberOf(asked?.failed),
        open: numberOf(asked?.open),
      },
      unavailable,
    };
  };
  return [
    programRead(
      { record },
      {
        path: '/api/overview/trends',
        access: 'overview.read',
        operation: 'overview.trends',
        reason: 'last days of the program',
        query,
        isPolled: true,
      },
      ({ query: { days }, requestId }) => read(days, { requestId }),
    ),
  ];
};
