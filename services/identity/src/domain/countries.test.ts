import { describe, expect, it } from 'vitest';
import { countriesSchema, DEFAULT_COUNTRIES } from './countries.ts';

describe('countriesSchema', () => {
  it('parses a list', () => {
    expect(countriesSchema.parse('de, FR')).toEqual(['DE', 'FR']);
    expect(countriesSchema.parse(DEFAULT_COUNTRIES.join())).toEqual(DEFAULT_COUNTRIES);
  });

  it.each(['', 'DE,', 'Germany', '+49'])('rejects %j', (text) => {
    expect(countriesSchema.safeParse(text).success).toBe(false);
  });
});
