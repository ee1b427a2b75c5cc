import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { programShape } from '../program-config.ts';
import { daysOfHold, HOLD_PERIODS } from './hold-periods.ts';

const DAYS = { online: 1, cardPresent: 2, lodging: 3, mastercard: 4, fuel: 5 };

it.each([
  [{ merchant: { categoryCode: '7011' }, entryMode: 'ecommerce', network: 'mastercard' }, 3],
  [{ merchant: { categoryCode: '3501' } }, 3],
  [{ merchant: { categoryCode: '3351' } }, 3],
  [{ merchant: { categoryCode: '7512' } }, 3],
  [{ merchant: { categoryCode: '7513' }, network: 'visa' }, 3],
  [{ merchant: { categoryCode: '4411' } }, 3],
  [{ merchant: { categoryCode: '4412' } }, 2],
  [{ merchant: { categoryCode: '5542' }, isEstimate: true }, 5],
  [{ merchant: { categoryCode: '5542' }, network: 'mastercard' }, 4],
  [{ entryMode: 'ecommerce', network: 'mastercard' }, 1],
  [{ entryMode: 'chip', network: 'mastercard' }, 4],
  [{ entryMode: 'merchant_initiated', network: 'visa' }, 2],
  [{}, 2],
] as const)('%j is held for %d days', (payment, days) => {
  expect(daysOfHold(DAYS, payment)).toBe(days);
});

it('stands in the documentation for processors, with the defaults of the program', async () => {
  const page = await readFile(new URL('../../../../docs/processor.md', import.meta.url), 'utf8');
  const defaults = programShape.expiryDays.parse(undefined);
  const rows = HOLD_PERIODS.map(({ payments, categories, days }) => {
    const codes = categories?.map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(', ');
    return `| ${payments} | ${codes ?? 'all'} | ${defaults[days]} | \`${days}\` |`;
  });
  expect(page).toContain(`| --- | --- | --- | --- |\n${rows.join('\n')}\n\n`);
});
