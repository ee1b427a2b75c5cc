import type { Unexplained } from '../clients/card.ts';
import { legsOf, parse, type SettlementRecord } from '../domain/record.ts';
import type { BlockStore } from '../store/blocks.ts';

/** The amount that a record adds to `unexplained`: below zero for what was received. */
const unexplainedBy = (record: SettlementRecord) =>
  legsOf(record).reduce((sum, { account, amount }) => (account === 'unexplained' ? sum + amount : sum), 0n);

/**
 * The movements among the records of a block that nothing explains, then those, with the amount 0, that a correction among them explains: one whose note is the key of the
 * movement, and that takes exactly its amount out of `unexplained`. In this order, because a source may report both at once, the correction first.
 */
export const unexplainedIn = async (
  records: readonly { line: string }[],
  blocks: Pick<BlockStore, 'findRecords'>,
): Promise<Unexplained[]> => {
  const unexplained = records.map(({ line }) => parse(line)).filter((record) => unexplainedBy(record) !== 0n);
  const corrections = unexplained.filter((record) => record.kind === 'correction');
  const named: ReadonlyMap<string, { line: string }> =
    corrections.length === 0 ? new Map() : await blocks.findRecords(corrections.map(({ note }) => note));
  const explained = corrections.flatMap((record): Unexplained[] => {
    const line = named.get(record.note)?.line;
    const movement = line === undefined ? undefined : parse(line);
    const isExplained =
      movement?.kind === 'bank' && movement.currency === record.currency && unexplainedBy(movement) + unexplainedBy(record) === 0n;
    return isExplained ? [{ ...movement, amount: 0n }] : [];
  });
  return [...unexplained.filter(({ kind }) => kind === 'bank'), ...explained];
};
