import { expect, test } from 'vitest';
import { balancesOf, type Line } from './balances.ts';

const rest = (token: string) => ({ token, decimals: 2, currency: token.slice(0, 3) });
const tokens = (...names: string[]) => names.map(rest);
const line = (token: string, amount: string, balanceAfter: string) => ({ ...rest(token), amount, balanceAfter }) as Line;

const read = (...rows: Line[]) => ({ rows, isWhole: true });
const cut = (...rows: Line[]) => ({ rows, isWhole: false });

test('tells the balance of each token before the first line and after the last', () => {
  const lines = [line('EURe', '-30', '70'), line('GBPe', '5', '5'), line('EURe', '100', '100')];
  expect(balancesOf(read(...lines), tokens('EURe', 'GBPe'), cut())).toEqual([
    { ...rest('EURe'), before: '0', after: '70' },
    { ...rest('GBPe'), before: '0', after: '5' },
  ]);
});

test('tells the balance of tokens that did not move, of the first one also if it never did', () => {
  const moved = read(line('GBPe', '5', '12'));
  expect(balancesOf(moved, tokens('EURe', 'GBPe', 'USDCe'), read(line('EURe', '-30', '70')))).toEqual([
    { ...rest('GBPe'), before: '7', after: '12' },
    { ...rest('EURe'), before: '70', after: '70' },
  ]);
  expect(balancesOf(read(), tokens('EURe', 'GBPe'), read())).toEqual([{ ...rest('EURe'), before: '0', after: '0' }]);
});

test('tells no balance that lines which were not read decide', () => {
  const lines = [line('EURe', '-30', '70'), line('EURe', '100', '100')];
  expect(balancesOf(cut(...lines), tokens('EURe', 'GBPe'), cut(line('GBPe', '5', '5')))).toEqual([
    { ...rest('EURe'), before: undefined, after: '70' },
  ]);
  expect(balancesOf(read(), tokens('EURe', 'GBPe'), cut(line('GBPe', '5', '5')))).toEqual([{ ...rest('GBPe'), before: '5', after: '5' }]);
});
