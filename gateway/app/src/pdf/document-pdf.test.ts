import { expect, test } from 'vitest';
import { readPdf } from '../testing/read-pdf.ts';
import { type DocumentText, documentPdf } from './document-pdf.ts';

const ROW = {
  day: '28/11/2026',
  what: 'Café (Łódź) \\ Книги',
  more: ['Paiement par carte'],
  amount: '\u2212630,00\u00a0€',
  balance: '370,00\u00a0€',
};
const COLUMNS = { day: 'Jour', what: 'Opération', amount: 'Montant', balance: 'Solde' };

const statement = (changes: Partial<DocumentText>): DocumentText => ({
  ...{ title: 'Relevé · Novembre 2026', language: 'fr-FR', facts: [['Solde avant', '1\u202f000,00\u00a0€']], note: undefined },
  ...changes,
});

test('has the letters of western Europe, and others in Latin', () => {
  expect(readPdf(documentPdf(statement({ lines: { columns: COLUMNS, rows: [ROW] } })))).toEqual([
    [
      ...['Relevé · Novembre 2026', 'Solde avant', '1 000,00 €', 'Jour', 'Opération', 'Montant', 'Solde'],
      ...['28/11/2026', 'Café (Lódz) \\ Knigi', 'Paiement par carte', '-630,00 €', '370,00 €', '1/1'],
    ],
  ]);
});

test('turns the page before a row would be cut, and repeats the columns', () => {
  const rows = Array.from({ length: 100 }, (_unused, index) => ({ ...ROW, what: `Row ${index}` }));
  const pages = readPdf(documentPdf(statement({ lines: { columns: COLUMNS, rows } })));
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.map((texts) => texts.includes('Montant'))).toEqual(pages.map(() => true));
  expect(pages.flat().filter((text) => text.startsWith('Row '))).toEqual(rows.map(({ what }) => what));
  expect(pages.at(-1)?.at(-1)).toBe(`${pages.length}/${pages.length}`);
});

test('breaks a long fact between words, or where a word is longer than a line', () => {
  const words = Array.from({ length: 20 }, (_unused, index) => `Merchant${index}`).join(' ');
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`;
  const facts = [
    ['Merchant', words],
    ['Holder', email],
  ] as const;
  const [texts = []] = readPdf(documentPdf(statement({ facts })));
  const [ofMerchant, ofHolder] = [texts.slice(2, texts.indexOf('Holder')), texts.slice(texts.indexOf('Holder') + 1, -1)];
  expect([ofMerchant.join(' '), ofHolder.join('')]).toEqual([words, email]);
  expect([...ofMerchant, ...ofHolder].filter((text) => text.length > 64)).toEqual([]);
});

test('without lines it has a note', () => {
  expect(readPdf(documentPdf(statement({ note: 'Rien' })))).toEqual([
    ['Relevé · Novembre 2026', 'Solde avant', '1 000,00 €', 'Rien', '1/1'],
  ]);
});
