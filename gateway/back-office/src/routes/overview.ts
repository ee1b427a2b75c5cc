import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { undefinedOn, withinRequest } from '@florin/rpc/client';
import type { Overview } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { tokenAmount } from '../views/money.ts';
import { toVerdict } from '../views/report-verdict.ts';
import { isoUnlessAbsent, unlessEmpty } from '../views/words.ts';
import type { Dependencies } from './dependencies.ts';
import { createParts, numberOf } from './overview-parts.ts';
import { programRead } from './read-program.ts';

const DAY_MS = 86_400_000;

/** The program at a glance. A part that cannot be read is named, and does not hide the others. */
export const overviewEndpoints = ({ services, assets, record, runtime }: Dependencies): Endpoint[] => {
  const read = async (call: { requestId: string }): Promise<Overview> => {
    const now = runtime.now();
    const { part, unavailable } = createParts();
    const options = withinRequest(call);
    const since = [1, 7].map((days) => timestampFromDate(new Date(now.getTime() - days * DAY_MS)));
    const newest = services.reserves?.getReserves({}, options);
    const [people, cards, money, settled, proof, alerts, health] = await Promise.all([
      part('people', services.users.countUsers({ since }, options)),
      part('cards', services.cards.countCards({}, options)),
      part('money', services.balances.getSystemBalances({}, options)),
      part('settlement', services.settlement?.listBalances({}, options)),
      part('reserves', newest && undefinedOn('RESERVES_NOT_FOUND', newest)),
      part('alerts', services.alerts?.()),
      services.health(),
    ]);
    return {
      at: now.toISOString(),
      people: {
        registered: numberOf(people?.total),
        registeredLastDay: numberOf(people?.since[0]),
        registeredLastWeek: numberOf(people?.since[1]),
      },
      cards: { active: numberOf(cards?.active), frozen: numberOf(cards?.frozen) },
      money: money?.balances.map(({ name, token, balance }) => ({ account: name, balance: tokenAmount(assets, token, balance) })) ?? [],
      ...unlessEmpty('closedDay', settled?.closedDay ?? ''),
      ...(settled?.lastReport === undefined ? {} : { lastReport: toVerdict(settled.lastReport) }),
      ...isoUnlessAbsent('reservesAt', proof?.createdAt),
      services: health,
      ...(alerts === undefined ? {} : { alerts }),
      unavailable,
    };
  };
  return [
    programRead(
      { record },
      { path: '/api/overview', access: 'overview.read', operation: 'overview.read', reason: 'overview of the program', isPolled: true },
      ({ requestId }) => read({ requestId }),
    ),
  ];
};
