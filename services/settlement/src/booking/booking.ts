import type { SigningKey } from '@florin/rpc/signing-key';
import { pause } from '@florin/rpc/time';
import { type Balance, Balances, closingBlock, DayRecords, judge, type Outcome, sumsOf } from '../domain/block.ts';
import { keyOf, parse, type SettlementRecord } from '../domain/record.ts';
import type { BlockStore, ClosingBlock } from '../store/blocks.ts';

/** Consecutive lost races of an import. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 5;

const FIRST_DAY = '';
const LAST_DAY = '9999-12-31';

export type BookingParts = {
  blocks: BlockStore;
  key: SigningKey;
  now: () => Date;
  /** Called when records were booked. */
  grown: () => void;
};

/** The books. Imports and closes are blocks of one journal, and the number of a block is the lock: a writer that loses a race judges again. */
export type Booking = {
  /**
   * Books records, each once.
   * @returns one outcome for each, in their order
   */
  importRecords: (records: readonly SettlementRecord[]) => Promise<Outcome[]>;
  /** Closes a day and all before it, or returns the close that it is in. */
  closeDay: (day: string) => Promise<ClosingBlock>;
  /** The balances with everything that is booked, and the last closed day. */
  balances: () => Promise<{ balances: Balance[]; closedDay: string }>;
};

export const createBooking = ({ blocks, key, now, grown }: BookingParts): Booking => {
  /** The balances at the end of a closed day. */
  const closedBalances = async (closedDay: string): Promise<Balances> =>
    new Balances(closedDay === FIRST_DAY ? [] : (await blocks.closeOf(closedDay))?.close.balances);

  return {
    importRecords: async (records) => {
      for (let lost = 0; lost < MAX_TRIES; lost += 1) {
        const head = await blocks.head();
        // A twin that is booked after the head is in a block that the insert meets.
        const known = await blocks.findRecords(records.map(keyOf));
        const { block, outcomes } = judge(head, records, known, now());
        if (block === undefined) return outcomes;
        if (await blocks.insert(block)) {
          grown();
          return outcomes;
        }
        await pause(Math.random() * MAX_PAUSE_MS);
      }
      throw new Error(`an import lost ${MAX_TRIES} races`);
    },

    closeDay: async (day) => {
      let since: { closedDay: string; n: number; records: DayRecords; balances: Balances } | undefined;
      for (;;) {
        const head = await blocks.head();
        if (head.closedDay >= day) {
          const standing = await blocks.closeOf(day);
          if (standing === undefined) throw new Error(`the close of ${day} is missing`);
          return standing;
        }
        if (since?.closedDay !== head.closedDay) {
          const { closedDay } = head;
          since = { closedDay, n: 0, records: new DayRecords(), balances: await closedBalances(closedDay) };
        }
        const [days, numbers] = [
          { after: head.closedDay, upTo: day },
          { after: since.n, upTo: head.n },
        ];
        // After a lost race, only the blocks since then are read.
        for await (const { records } of blocks.ofDays(days, numbers)) {
          for (const record of records) since.records.add(record);
          // The signed sums follow from the records themselves.
          for (const sum of sumsOf(records.map(({ day: booked, line }) => ({ day: booked, record: parse(line) })))) since.balances.add(sum);
        }
        since.n = head.n;
        const block = closingBlock(head, { day, ...since.records.state(), balances: since.balances.list() }, key, now());
        if ((await blocks.insert(block)) && block.close !== undefined) return { ...block, close: block.close };
      }
    },

    balances: async () => {
      const { n, closedDay } = await blocks.head();
      const balances = await closedBalances(closedDay);
      for await (const sum of blocks.sumsOfDays({ after: closedDay, upTo: LAST_DAY }, { after: 0, upTo: n })) balances.add(sum);
      return { balances: balances.list(), closedDay };
    },
  };
};
