import type { ErrorCode } from '@florin/kit/errors';
import type { Entry, KnownEntry } from './entry.ts';
import { applyEntry, createLayer, type LedgerState, type StateLayer } from './ledger-state.ts';

/** An entry that somebody wants in the journal, with what would stand against it. */
export type Intent = {
  entry: Entry;
  /** Refuses the entry unless it is in the journal already: a repeat is answered whatever became of the account since. */
  refuseNew?: ErrorCode | undefined;
  /** Refuses the entry when another one is in the journal. */
  excludedBy?: { id: string; code: ErrorCode };
};

/** What is to become of an intent, in the order in which the checks are made. */
export type Verdict =
  /** In the journal already, in block n. `same` tells whether it was the same request. */
  | { kind: 'exists'; n: number; same: boolean }
  | { kind: 'refused'; code: ErrorCode }
  /** Entry `index` of the drafted block. */
  | { kind: 'created'; index: number };

export type Draft = { entries: Entry[]; verdicts: Verdict[]; layer: StateLayer };

/**
 * Judges intents in order, each against the state that the ones before it leave behind, and collects those that pass.
 * Pure: nothing has happened before the block is written and `layer` is merged.
 * @param known what the journal has under the intents' ids, and under those that exclude them
 * @param n number that the drafted block will have
 */
export const draftBlock = (
  state: LedgerState,
  intents: readonly Intent[],
  known: (id: string) => KnownEntry | undefined,
  n: number,
): Draft => {
  const layer = createLayer(state);
  const entries: Entry[] = [];
  const drafted = new Map<string, KnownEntry>();
  const find = (id: string) => drafted.get(id) ?? known(id);

  const judge = ({ entry, refuseNew, excludedBy }: Intent): Verdict => {
    const existing = find(entry.id);
    if (existing !== undefined) return { kind: 'exists', n: existing.n, same: existing.inputHash === entry.inputHash };
    if (excludedBy !== undefined && find(excludedBy.id) !== undefined) return { kind: 'refused', code: excludedBy.code };
    if (refuseNew !== undefined) return { kind: 'refused', code: refuseNew };
    const refusal = applyEntry(layer, entry);
    if (refusal !== undefined) return { kind: 'refused', code: refusal };
    drafted.set(entry.id, { n, inputHash: entry.inputHash });
    return { kind: 'created', index: entries.push(entry) - 1 };
  };

  const verdicts = intents.map(judge);
  return { entries, verdicts, layer };
};
