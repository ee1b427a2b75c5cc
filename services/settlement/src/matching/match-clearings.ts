import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Clearing, FindReports } from '../clients/card.ts';
import { parse } from '../domain/record.ts';
import type { BlockStore } from '../store/blocks.ts';
import type { Match, MatchStore } from '../store/matches.ts';

/** Clearings of one call to the card service. */
const CALL = 100;

/** Blocks that are read together. */
const BLOCKS = 10;

const HOUR_MS = 3_600_000;

/** A report that was not found is looked for again after an hour, and for a month. */
const GIVEN_UP_MS = 31 * 24 * HOUR_MS;

/** Pause between two rounds without an import. */
const INTERVAL_MS = 60_000;

export type MatchingParts = {
  blocks: Pick<BlockStore, 'after' | 'findRecords'>;
  matches: MatchStore;
  findReports: FindReports;
  /** How long a clearing waits for its report before an exception is raised. */
  waitMs: number;
  now: () => Date;
  logger: Logger;
};

type Booked = { clearing: Clearing; key: string; day: string; bookedAt: Date };

const clearingsOf = (records: readonly { key: string; day: string; line: string }[], bookedAt: Date): Booked[] =>
  records.flatMap(({ key, day, line }) => {
    const record = parse(line);
    return record.kind === 'clearing' ? [{ clearing: record, key, day, bookedAt }] : [];
  });

/**
 * Looks at every clearing of the journal, in its order, and asks the card service for the report of it; for those without one again, until there is one. Booking
 * never waits for it. Several instances may work side by side, and each step may be repeated.
 */
export const startMatching = ({ blocks, matches, findReports, waitMs, now, logger }: MatchingParts): Rounds => {
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
        const again = report.found === undefined && time - bookedAt.getTime() < waitMs + GIVEN_UP_MS;
        const untilRaised = bookedAt.getTime() + waitMs - time;
        const pauseMs = untilRaised > 0 ? Math.min(untilRaised, HOUR_MS) : HOUR_MS;
        return { key, day, bookedAt, ...report, ...(again ? { dueAt: new Date(time + pauseMs) } : {}) };
      });
      await matches.put(found);
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    while (!closed()) {
      const next = await blocks.after(await matches.reached(), BLOCKS);
      for (const { n, at, records } of next) {
        await match(clearingsOf(records, at));
        await matches.reach(n);
      }
      if (next.length < BLOCKS) break;
    }
    while (!closed()) {
      const due = await matches.due(now(), CALL);
      if (due.length === 0) return;
      const records = await blocks.findRecords(due.map(({ key }) => key));
      await match(
        due.flatMap(({ key, bookedAt }) =>
          clearingsOf(
            [records.get(key)].filter((record) => record !== undefined),
            bookedAt,
          ),
        ),
      );
    }
  };

  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'matching settlement records failed' });
};
