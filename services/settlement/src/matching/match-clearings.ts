import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Booking } from '../booking/booking.ts';
import type { Clearing, FindReports, ReportUnexplained } from '../clients/card.ts';
import { conversionPartOf, type Part, partOf } from '../domain/item.ts';
import { conversionOf, parse, type SettlementRecord } from '../domain/record.ts';
import type { BlockStore } from '../store/blocks.ts';
import type { CursorStore } from '../store/cursors.ts';
import type { ItemStore } from '../store/items.ts';
import type { Match, MatchStore } from '../store/matches.ts';
import { unexplainedIn } from './unexplained.ts';

/** Clearings of one call to the card service. */
const CALL = 100;

/** Blocks that are read together. */
const BLOCKS = 10;

const HOUR_MS = 3_600_000;

/** A report that was not found, or differs, is looked for again after an hour, and for a month. */
const GIVEN_UP_MS = 31 * 24 * HOUR_MS;

/** Pause between two rounds without an import. */
const INTERVAL_MS = 60_000;

export type MatchingParts = {
  blocks: Pick<BlockStore, 'after' | 'findRecords'>;
  matches: MatchStore;
  cursors: Pick<CursorStore, 'reached' | 'reach' | 'toldUpTo' | 'tellUpTo'>;
  items: Pick<ItemStore, 'put'>;
  booking: Pick<Booking, 'importRecords'>;
  findReports: FindReports;
  reportUnexplained: ReportUnexplained;
  /** How long a clearing waits for its report before an exception is raised. */
  waitMs: number;
  now: () => Date;
  logger: Logger;
};

type Booked = { clearing: Clearing; key: string; day: string; bookedAt: Date };

/** The clearings of records, and the parts of the others, which are matched with nothing. */
const sortedOut = (
  records: readonly { key: string; day: string; line: string }[],
  bookedAt: Date,
): { clearings: Booked[]; others: Part[] } => {
  const [clearings, others]: [Booked[], Part[]] = [[], []];
  for (const { key, day, line } of records) {
    const record = parse(line);
    if (record.kind === 'clearing') {
      clearings.push({ clearing: record, key, day, bookedAt });
      continue;
    }
    const part = partOf(record, day, bookedAt);
    if (part !== undefined) others.push(part);
  }
  return { clearings, others };
};

/**
 * Looks at every clearing of the journal, in its order, and asks the card service for the report of it; for those without one that agrees again, until there is one. Books
 * what conversions have brought in, and tells of movements on the bank account that nothing explains. Importing never waits for it. Several instances may work side by side, and each step may be repeated.
 */
export const startMatching = (parts: MatchingParts): Rounds => {
  const { blocks, matches, cursors, items, booking, findReports, reportUnexplained, waitMs, now, logger } = parts;
  const match = async (booked: readonly Booked[]): Promise<void> => {
    for (let at = 0; at < booked.length; at += CALL) {
      const part = booked.slice(at, at + CALL);
      const time = now().getTime();
      const reports = await findReports(
        part.map(({ clearing }) => clearing),
        (index) => time - (part[index]?.bookedAt.getTime() ?? time) >= waitMs,
      );
      const found = part.map(({ key, day, bookedAt }, index): Match => {
        const report = reports[index] ?? {};
        const isSettled = report.found !== undefined && report.exceptionId === undefined;
        const again = !isSettled && time - bookedAt.getTime() < waitMs + GIVEN_UP_MS;
        const untilRaised = bookedAt.getTime() + waitMs - time;
        const pauseMs = untilRaised > 0 ? Math.min(untilRaised, HOUR_MS) : HOUR_MS;
        return { key, day, bookedAt, ...report, ...(again ? { dueAt: new Date(time + pauseMs) } : {}) };
      });
      const parts: Part[] = [];
      const conversions: { record: SettlementRecord; ofClearing: Part }[] = [];
      for (const [index, { clearing, day, bookedAt }] of part.entries()) {
        const { found: report, exceptionId } = found[index] ?? {};
        const ofClearing = partOf(clearing, day, bookedAt, found[index]);
        if (ofClearing === undefined) continue;
        parts.push(ofClearing);
        if (report === undefined || exceptionId !== undefined || report.billingCurrency !== clearing.currency) continue;
        const record = conversionOf(clearing, BigInt(report.billedAmount));
        if (record !== undefined) conversions.push({ record, ofClearing });
      }
      const outcomes = conversions.length === 0 ? [] : await booking.importRecords(conversions.map(({ record }) => record));
      for (const [index, { record, ofClearing }] of conversions.entries()) {
        const { outcome, day } = outcomes[index] ?? { outcome: 'conflicting', day: '' };
        if (outcome !== 'conflicting') parts.push(conversionPartOf(record, day, ofClearing));
      }
      // The match is last: it takes the clearing off those that are due.
      await items.put(parts);
      await matches.put(found);
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    while (!closed()) {
      const next = await blocks.after(await cursors.reached(), BLOCKS);
      for (const { n, at, records } of next) {
        const { clearings, others } = sortedOut(records, at);
        await items.put(others);
        await match(clearings);
        await cursors.reach(n);
      }
      if (next.length < BLOCKS) break;
    }
    while (!closed()) {
      const next = await blocks.after(await cursors.toldUpTo(), BLOCKS);
      for (const { n, records } of next) {
        await reportUnexplained(await unexplainedIn(records, blocks));
        await cursors.tellUpTo(n);
      }
      if (next.length < BLOCKS) break;
    }
    while (!closed()) {
      const due = await matches.due(now(), CALL);
      if (due.length === 0) return;
      const records = await blocks.findRecords(due.map(({ key }) => key));
      await match(
        due.flatMap(
          ({ key, bookedAt }) =>
            sortedOut(
              [records.get(key)].filter((record) => record !== undefined),
              bookedAt,
            ).clearings,
        ),
      );
    }
  };

  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'matching settlement records failed' });
};
