import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountState } from './account-state.ts';
import { InvariantError } from './apply-entry.ts';
import { changeAccounts, decodeAccounts, encodeAccounts, findAccount } from './balance-page.ts';

describe('a balance page', () => {
  const holds = new Map([['h', { token: 'EURe', parts: [{ credit: 'fees', amount: 5n }], expiresAt: 1 }]]);
  const sound = accountState('active', [['EURe/held', 5n]], holds);
  it.each([
    ['held money without a hold', { ...sound, holds: new Map() }],
    ['a hold without held money', { ...sound, keys: [], amounts: [] }],
    ['a status that there is not', { ...sound, status: 'frozen' as never }],
  ])('with %s is refused', (_name, account) => {
    expect(() => decodeAccounts(encodeAccounts([['a', account]]))).toThrow(InvariantError);
  });

  const accounts = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'h', 'aa', '-'),
    fc.record({ status: fc.constantFrom('active', 'closed', 'blocked'), available: fc.bigInt(-5n, 10n ** 60n), held: fc.nat(3) }),
  );
  const stateOf = ({ status, available, held }: { status: string; available: bigint; held: number }) =>
    accountState(
      status as 'active',
      [
        ['EURe/available', available],
        ['EURe/held', BigInt(held)],
      ],
      new Map(held === 0 ? [] : [['a', { token: 'EURe', parts: [{ credit: 'fees', amount: BigInt(held) }], expiresAt: 1 }]]),
    );
  const entriesOf = (given: Record<string, Parameters<typeof stateOf>[0]>) =>
    Object.entries(given).map(([id, one]): [string, ReturnType<typeof stateOf>] => [id, stateOf(one)]);

  it('is read account by account as it is read whole', () => {
    fc.assert(
      fc.property(accounts, (given) => {
        const text = encodeAccounts(entriesOf(given));
        const all = decodeAccounts(text);
        expect([...all.keys()].sort()).toEqual(Object.keys(given).sort());
        for (const id of ['a', 'b', 'c', 'h', 'aa', '-', 'z']) expect(findAccount(text, id)).toEqual(all.get(id));
      }),
    );
  });

  it('has the same text whether its accounts were written at once or changed later', () => {
    fc.assert(
      fc.property(accounts, accounts, (before, after) => {
        const changed = changeAccounts(encodeAccounts(entriesOf(before)), new Map(entriesOf(after)));
        expect(changed).toBe(encodeAccounts(entriesOf({ ...before, ...after })));
      }),
    );
  });

  it('of another form is rejected', () => {
    expect(() => decodeAccounts('[["a","active",[],[]]]')).toThrow(InvariantError);
  });
});
