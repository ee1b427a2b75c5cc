import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { ReportUnsettled, Unsettled } from '../clients/card.ts';
import { parse } from '../domain/record.ts';
import type { BlockStore } from '../store/blocks.ts';
import type { CursorStore } from '../store/cursors.ts';
import type { ItemStore, StoredItem } from '../store/items.ts';

const CALL = 100;

/** Blocks with clearings among which the first day is: an import of what the network has settled before may have several. */
const BLOCKS = 10;

/** A date that is further back than that from the time that a clearing was booked says nothing of when settling began. */
const MAX_AGE_MS = 31 * 24 * 3_600_000;

const INTERVAL_MS = 60_000;

/** Ids of items of payments that are an account's. An entry may have any reference: one that is no UUID is no payment's. */
const UUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const PAYMENT = new RegExp(`^${UUID}/${UUID}$`);

export type TellingParts = {
  blocks: Pick<BlockStore, 'withClearings'>;
  cursors: Pick<CursorStore, 'completeAt'>;
  items: Pick<ItemStore, 'untold' | 'outdated' | 'told'>;
  reportUnsettled: ReportUnsettled;
  /** Time for which a payment may wait for its settlement. */
  afterMs: number;
  now: () => Date;
  logger: Logger;
};

const unsettledOf = ({ id, currency, parts }: StoredItem, since: Date | undefined, amount?: bigint): Unsettled[] => {
  const [, paymentId, accountId] = PAYMENT.exec(id) ?? [];
  if (paymentId === undefined || accountId === undefined || since === undefined) return [];
  return [{ paymentId, accountId, since, currency, amount: amount ?? parts.reduce((sum, part) => sum + part.amount, 0n) }];
};

/**
 * The first day of the clearings: the network has settled what was spent before it without this service. Collections and corrections may be much older.
 * @returns undefined while there is no clearing
 */
export const firstDay = async (blocks: Pick<BlockStore, 'withClearings'>): Promise<Date | undefined> => {
  const times = (await blocks.withClearings(BLOCKS)).flatMap(({ at, records }) =>
    records.flatMap(({ line }) => {
      const { kind, date } = parse(line);
      return kind === 'clearing' ? [Math.max(Date.parse(`${date}T00:00:00Z`), at.getTime() - MAX_AGE_MS)] : [];
    }),
  );
  return times.length === 0 ? undefined : new Date(Math.min(...times));
};

/** Tells the card service of payments that the network has not settled as the ledger has booked them, and of those that it has since. A round that is killed is repeated. */
export const tellUnsettled = ({ blocks, cursors, items, reportUnsettled, afterMs, now, logger }: TellingParts): Rounds =>
  startRounds({
    round: async (closed) => {
      const first = await firstDay(blocks);
      // While the ledger's journal is read for the first time, or anew, most items have one side only.
      if (first === undefined || (await cursors.completeAt()) === undefined) return;
      for (;;) {
        const some = await items.outdated(CALL);
        if (some.length === 0 || closed()) break;
        await reportUnsettled(some.flatMap((item) => unsettledOf(item, item.toldSince, 0n)));
        await items.told(some, 'closed');
      }
      for (;;) {
        const some = await items.untold(first, new Date(now().getTime() - afterMs), CALL);
        if (some.length === 0 || closed()) break;
        await reportUnsettled(some.flatMap((item) => unsettledOf(item, item.openSince)));
        await items.told(some, 'open');
      }
    },
    intervalMs: INTERVAL_MS,
    logger,
    failed: 'telling the card service of unsettled payments failed, will retry',
  });
