import { type AccountState, balancesOf } from '../domain/account-state.ts';
import type { Verdict } from '../domain/draft-block.ts';
import type { AccountView } from './model.ts';

const withoutZeros = (balances: Iterable<[string, bigint]>): Record<string, bigint> =>
  Object.fromEntries([...balances].filter(([, value]) => value !== 0n));

/** An account of the real thing as the model sees one. */
export const viewOf = (state: AccountState | undefined): AccountView | undefined =>
  state && {
    status: state.status,
    balances: withoutZeros(balancesOf(state)),
    holds: Object.fromEntries(
      [...state.holds].map(([id, { parts }]) => [id, Object.fromEntries(parts.map(({ credit, amount }) => [credit, amount]))]),
    ),
  };

export const viewOfSystems = withoutZeros;

/** A verdict of the model. */
export const wordOf = (
  verdict: Pick<Extract<Verdict, { kind: 'exists' }>, 'kind' | 'same'> | { kind: 'created' } | { kind: 'refused'; code: string },
): string => {
  if (verdict.kind === 'refused') return verdict.code;
  return verdict.kind === 'created' ? 'created' : verdict.same ? 'same' : 'other';
};
