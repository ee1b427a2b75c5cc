import { describe, expect, it } from 'vitest';
import { shopsOf } from './shops.ts';

const at = (id: string | undefined, name?: string, kind: 'payment' | 'refund' = 'payment', status: 'settled' | 'declined' = 'settled') => ({
  kind,
  status,
  merchant: { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) },
});

describe('shopsOf', () => {
  it('names each shop once, in order', () => {
    expect(shopsOf([at('2', 'Tea'), at('1', 'Books'), at('2', 'Tea House')])).toEqual([
      { id: '1', name: 'Books' },
      { id: '2', name: 'Tea' },
    ]);
  });

  it('leaves out shops without an id, and what is no payment', () => {
    expect(shopsOf([at(undefined, 'Books'), at('3', 'Tea', 'refund')])).toEqual([]);
  });

  it('leaves out shops of declined payments', () => {
    expect(shopsOf([at('4', 'Books', 'payment', 'declined')])).toEqual([]);
  });

  it('tells shops of one name apart, and names one without a name by its id', () => {
    expect(shopsOf([at('2', 'Tea'), at('1', 'Tea'), at('3')]).map(({ name }) => name)).toEqual(['3', 'Tea (1)', 'Tea (2)']);
  });
});
