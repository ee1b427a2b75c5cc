import type { AccountBalance } from '@florin/proto/settlement/v1/settlement_service';
import { withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { settling } from '../clients/services.ts';
import { bookDay, closeDayBody, type closedDays, type DayClose, type Settlement } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { currencyAmount } from '../views/money.ts';
import { toVerdict } from '../views/report-verdict.ts';
import { isoOf, nextOf, unlessEmpty } from '../views/words.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

/** Time limit of a close, in milliseconds. The page waits a little longer. */
const CLOSE_MS = 25_000;

/** Closed days of a page. */
const DAYS = 20;

const pageQuery = z.strictObject({ cursor: z.string().max(500).default('') });

/** A position with a network is an account of this name: `payable/<network>/<date>`. */
const POSITION = /^payable\/([^/]+)\/([^/]+)$/;

/** The balances, with positions apart and as what is owed to the network. */
const toBalances = (balances: readonly AccountBalance[]): Pick<Settlement, 'positions' | 'accounts'> => {
  const positions: Settlement['positions'] = [];
  const accounts: Settlement['accounts'] = [];
  for (const { account, currency, amount } of balances) {
    const [, network, day] = POSITION.exec(account) ?? [];
    if (network === undefined || day === undefined) accounts.push({ account, ...currencyAmount(amount, currency) });
    else positions.push({ network, day, ...currencyAmount(String(-BigInt(amount)), currency) });
  }
  return { positions, accounts };
};

/** The books between the program, the card networks and the bank: what is open, closed days, and closing one for good. */
export const settlementEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services } = parts;
  const base = '/api/settlement';
  return [
    programRead(
      parts,
      { path: base, access: 'money.read', operation: 'settlement.balances', reason: 'books of settlement' },
      async (call): Promise<Settlement> => {
        const options = withinRequest(call);
        const [{ balances, closedDay }, { reports }] = await Promise.all([
          settling(services).listBalances({}, options),
          settling(services).listReports({}, options),
        ]);
        return { ...toBalances(balances), ...unlessEmpty('closedDay', closedDay), reports: reports.map(toVerdict) };
      },
    ),
    programRead(
      parts,
      { path: `${base}/days`, access: 'money.read', operation: 'settlement.days', reason: 'closed days of settlement', query: pageQuery },
      async ({ query: { cursor }, ...call }): Promise<z.output<typeof closedDays>> => {
        const { days, page } = await settling(services).listDays({ page: { limit: DAYS, cursor } }, withinRequest(call));
        const closed = days.map(({ day, closedAt, records }) => ({ day, closedAt: isoOf(closedAt), records: Number(records) }));
        return { days: closed, ...nextOf(page?.nextCursor) };
      },
    ),
    programRead(
      parts,
      { path: `${base}/days/{day}`, access: 'money.read', operation: 'settlement.day', reason: 'a closed day of settlement' },
      async ({ params, ...call }): Promise<DayClose> => {
        const { day } = parse(z.object({ day: bookDay }), params);
        const { close } = await settling(services).getDay({ day }, withinRequest(call));
        if (close === undefined) throw new CodedError('DAY_NOT_CLOSED');
        return {
          ...toBalances(close.balances),
          day: close.day,
          ...unlessEmpty('previousDay', close.previousDay),
          closedAt: isoOf(close.closedAt),
          records: Number(close.records),
          recordsHash: close.recordsHash,
          block: Number(close.block),
          previousHash: close.previousHash,
          key: close.x,
          signature: close.signature,
        };
      },
    ),
    action(
      parts,
      { path: `${base}/close`, access: 'money.order', operation: 'settlement.close', body: closeDayBody, subjects: ({ day }) => ({ day }) },
      async ({ body: { day }, ...call }) => {
        // The first close reads the records of all days.
        const { close } = await settling(services).closeDay({ day }, { ...withinRequest(call), timeoutMs: CLOSE_MS });
        return close?.day ?? day;
      },
    ),
  ];
};
