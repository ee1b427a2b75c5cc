import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ExceptionStatus as CardExceptionStatus } from '@florin/proto/card/v1/exception';
import { ExceptionStatus } from '@florin/proto/chain/v1/watch';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { withinRequest } from '@florin/rpc/client';
import type { Overview } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { tokenAmount } from '../views/money.ts';
import type { Dependencies } from './dependencies.ts';
import { createParts, numberOf } from './overview-parts.ts';
import { programRead } from './read-program.ts';

const DAY_MS = 86_400_000;

/** Orders and exceptions are counted up to a page. */
const LIMIT = 100;

/** The program at a glance. A part that cannot be read is named, and does not hide the others. */
export const overviewEndpoints = ({ services, assets, record, runtime }: Dependencies): Endpoint[] => {
  const read = async (call: { requestId: string }): Promise<Overview> => {
    const now = runtime.now();
    const { part, unavailable } = createParts();
    const options = withinRequest(call);
    const since = [1, 7].map((days) => timestampFromDate(new Date(now.getTime() - days * DAY_MS)));
    const page = { limit: LIMIT, cursor: '' };
    const [people, cards, money, orders, transfers, exceptions, health] = await Promise.all([
      part('people', services.users.countUsers({ since }, options)),
      part('cards', services.cards.countCards({}, options)),
      part('money', services.balances.getSystemBalances({}, options)),
      part('orders', services.adjustments.listAdjustments({ status: AdjustmentStatus.PENDING, page }, options)),
      part('transfers', services.watches?.listExceptions({ status: ExceptionStatus.OPEN, page }, options)),
      part('exceptions', services.exceptions.listExceptions({ status: CardExceptionStatus.OPEN, page }, options)),
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
      pendingAdjustments: orders?.adjustments.length ?? 0,
      openExceptions: transfers?.exceptions.length ?? 0,
      openCardExceptions: exceptions?.exceptions.length ?? 0,
      services: health,
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
