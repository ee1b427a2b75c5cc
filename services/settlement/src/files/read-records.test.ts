import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCamt053 } from './camt053.ts';
import { readCsv } from './csv.ts';
import { toMinorUnit } from './file-record.ts';

/** In pieces, as files come. */
const inPieces = (text: string, length = 7): Readable => Readable.from(text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []);
const csv = (text: string) => Array.fromAsync(readCsv(inPieces(text), 'processor'));
const statements = (text: string, length?: number) => Array.fromAsync(readCamt053(inPieces(text, length), 'bank'));
const camt = async (text: string, length?: number) => (await statements(text, length)).flatMap(({ records }) => records);

describe('amounts in files', () => {
  it.each([
    ['28.00', 'EUR', '2800'],
    ['-0.5', 'EUR', '-50'],
    ['28', 'JPY', '28'],
    ['28.000', 'JPY', '28'],
    ['1.234', 'KWD', '1234'],
  ])('%s %s is %s', (text, currency, units) => expect(toMinorUnit(text, currency, '')).toBe(units));

  it.each([
    ['28.001', 'EUR'],
    ['1,00', 'EUR'],
    ['', 'EUR'],
    ['+1', 'EUR'],
    ['1e3', 'EUR'],
    ['1', 'XYZ'],
  ])('%j %s is rejected', (text, currency) => expect(() => toMinorUnit(text, currency, 'line 2')).toThrow('line 2: '));
});

const HEADER = 'kind,id,date,currency,amount,network,interchange,scheme_fee,processor_fee,transaction_id,acquirer_reference,settles,source';

describe('a CSV file', () => {
  it('has clearings, refunds, bank movements and collections', async () => {
    const found = await csv(
      `\uFEFF${HEADER}\r\nclearing,r1,2026-11-23,EUR,28.00,visa,0.14,0.03,,tx 1,${'7'.repeat(23)},,\r\n\r\nclearing,"r,2",2026-11-23,EUR,-5,visa,,,,,,,other\nbank,b1,2026-11-24,EUR,-22.82,,,,,,,payable/visa/2026-11-23,bank\ncollection,c1,2026-11-24,EUR,23,,,,,,,,\n`,
    );
    const common = { source: 'processor', date: '2026-11-23', currency: 'EUR' };
    const reference = { transactionId: 'tx 1', acquirerReference: '7'.repeat(23) };
    expect(found).toEqual([
      { ...common, id: 'r1', clearing: { network: 'visa', amount: '2800', interchange: '14', schemeFee: '3', ...reference } },
      { ...common, source: 'other', id: 'r,2', clearing: { network: 'visa', amount: '-500' } },
      {
        ...{ source: 'bank', id: 'b1', date: '2026-11-24', currency: 'EUR' },
        bankMovement: { amount: '-2282', settles: 'payable/visa/2026-11-23' },
      },
      { ...common, id: 'c1', date: '2026-11-24', collection: { amount: '2300' } },
    ]);
  });

  it.each([
    ['an unknown column', 'kind,id,date,currency,amount,fee\n', 'header: there is no column "fee"'],
    ['a missing column', 'kind,id,date,currency\n', 'header: the column "amount" is missing'],
    ['another kind', 'kind,id,date,currency,amount\nfee,1,2026-11-23,EUR,1\n', 'line 2: "fee" is not a kind'],
    ['a bad amount', 'kind,id,date,currency,amount\nbank,1,2026-11-23,EUR,"1,5"\n', 'line 2: "1,5" is not an amount in EUR'],
    ['too few values', 'kind,id,date,currency,amount\nbank,1\n', 'line 2: '],
    ['an open quote', 'kind,id,date,currency,amount\nbank,"1,2026\n', 'line'],
  ])('is rejected with %s', async (_what, text, message) => {
    await expect(csv(text)).rejects.toThrow(message);
  });
});

const entry = (more: string, status = '<Sts><Cd>BOOK</Cd></Sts>') => `
  <Ntry><Amt Ccy="EUR">22.82</Amt><CdtDbtInd>DBIT</CdtDbtInd>${status}<BookgDt><Dt>2026-11-24</Dt></BookgDt>${more}</Ntry>`;
const statement = (...entries: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>m</MsgId></GrpHdr>
<Stmt><Id>STMT 7</Id><Acct><Id><IBAN>DE02</IBAN></Id></Acct>${balance('OPBD', '9.00')}${balance('CLAV', '1.00')}${balance('CLBD', closing(entries))}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;

/** 9.00 and the entries, which are of 22.82 each. */
const closing = (entries: readonly string[]): string => {
  const signs = entries.filter((text) => text.includes('BOOK')).map((text): number => (text.includes('CRDT') ? 1 : -1));
  return (9 + 22.82 * signs.reduce((sum, one) => sum + one, 0)).toFixed(2);
};
const balance = (type: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount.replace('-', '')}</Amt><CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd></Bal>`;

describe('a bank statement (camt.053)', () => {
  it('has booked movements, and what they settle', async () => {
    const details = (refs: string, remittance: string) =>
      `<NtryDtls><TxDtls><Refs><EndToEndId>${refs}</EndToEndId></Refs><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls></NtryDtls>`;
    const text = statement(
      entry(`<AcctSvcrRef>BANK-1</AcctSvcrRef>${details('NOTPROVIDED', 'for PAYABLE/VISA/2026-11-23 &amp; more')}`),
      entry(`<AcctSvcrRef>BANK-2</AcctSvcrRef>${details('Treasury', '')}`, '<Sts>BOOK</Sts>').replace('DBIT', 'CRDT'),
      entry(`<AcctSvcrRef>BANK-3</AcctSvcrRef>`, '<Sts><Cd>PDNG</Cd></Sts>'),
      entry(details('x', 'US treasury bonds')).replace('<Dt>2026-11-24</Dt>', '<DtTm>2026-11-25T09:00:00+01:00</DtTm>'),
    );
    const common = { source: 'bank', date: '2026-11-24', currency: 'EUR' };
    const expected = [
      { ...common, id: 'BANK-1', bankMovement: { amount: '-2282', settles: 'payable/visa/2026-11-23' } },
      { ...common, id: 'BANK-2', bankMovement: { amount: '2282', settles: 'treasury' } },
      { ...common, date: '2026-11-25', id: expect.stringMatching(/^[0-9a-f]{64}$/), bankMovement: { amount: '-2282' } },
    ];
    expect(await camt(text)).toEqual(expected);
    expect(await camt(text.replace('<Document', '<c:Document').replace('</Document', '</c:Document'), 1000)).toEqual(expected);
  });

  it.each([
    ['no day', '<NtryDtls><TxDtls><RmtInf><Ustrd>payable/visa/2026-02-31</Ustrd></RmtInf></TxDtls></NtryDtls>'],
    [
      'two positions',
      '<NtryDtls><TxDtls><RmtInf><Ustrd>payable/visa/2026-11-23</Ustrd></RmtInf></TxDtls><TxDtls><RmtInf><Ustrd>payable/visa/2026-11-24</Ustrd></RmtInf></TxDtls></NtryDtls>',
    ],
  ])('settles nothing by an entry that names %s', async (_, details) => {
    expect(await camt(statement(entry(details)))).toMatchObject([{ bankMovement: { amount: '-2282' } }]);
    expect(await camt(statement(entry(details)))).not.toMatchObject([{ bankMovement: { settles: expect.anything() } }]);
  });

  it('has every entry, also those with the reference of another one', async () => {
    const twice = entry('<AcctSvcrRef>BATCH</AcctSvcrRef>');
    const ids = (await camt(statement(twice, twice, entry('<AcctSvcrRef>OTHER</AcctSvcrRef>'), twice))).map(({ id }) => id);
    expect(ids).toEqual(['BATCH', 'BATCH#2', 'OTHER', 'BATCH#3']);
  });

  it('has an account, and a balance from which its entries lead to another one', async () => {
    const text = statement(entry(''), entry('').replace('DBIT', 'CRDT'), entry(''));
    expect(await statements(text)).toMatchObject([{ id: 'STMT 7', account: 'DE02', currency: 'EUR', opening: 900n }]);
    for (const [broken, code] of [
      [text.replace('9.00', '9.01'), 'BALANCE_WRONG'],
      [text.replace(entry(''), ''), 'BALANCE_WRONG'],
      [text.replace('CLBD', 'CLAV'), 'BALANCE_MISSING'],
      [text.replace('OPBD', 'CLAV'), 'BALANCE_MISSING'],
      [text.replace('DE02', ''), 'BALANCE_MISSING'],
      [text.replaceAll('<Amt Ccy="EUR">22.82', '<Amt Ccy="USD">22.82'), 'BALANCE_WRONG'],
    ] as const)
      await expect(statements(broken), code).rejects.toThrow(`${code}: statement STMT 7: `);
    // A page ends with an interim balance, and the next one begins with it.
    for (const page of [text.replace('CLBD', 'ITBD'), text.replace('OPBD', 'ITBD'), text.replace('OPBD', 'ITBD').replace('CLBD', 'ITBD')])
      expect(await statements(page)).toHaveLength(1);
  });

  it('names the entries without a reference of each page differently', async () => {
    const page = (number: string) =>
      statement(entry('')).replace('</Id><Acct>', `</Id><StmtPgntn><PgNb>${number}</PgNb></StmtPgntn><Acct>`);
    const ids = (await Promise.all([statement(entry('')), page('1'), page('2')].map((text) => camt(text)))).map(([record]) => record?.id);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('is read in the same way in any pieces', async () => {
    const text = statement(entry('<AcctSvcrRef>A</AcctSvcrRef>'), entry(''));
    const whole = await camt(text, text.length);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (length) => void expect(await camt(text, length)).toEqual(whole)),
      { numRuns: 15 },
    );
  });

  it.each([
    ['what is no statement', '<Document><Other/></Document>', 'is not a bank statement'],
    ['a document type', '<!DOCTYPE d [<!ENTITY x "y">]><Document/>', 'a document type is declared'],
    ['an unknown entity', statement(entry('<AcctSvcrRef>&x;</AcctSvcrRef>')), 'line'],
    ['an open element', '<Document><BkToCstmrStmt>', 'line'],
    ['parts of a cent', statement(entry('').replace('22.82', '22.825')), 'is not an amount in EUR'],
    ['an amount with a sign', statement(entry('')).replace('>22.82', '>-22.82'), '"-22.82" is not an amount'],
    ['no direction', statement(entry('').replace('DBIT', '')), '"" is not a direction'],
  ])('is rejected if it is %s', async (_what, text, message) => {
    await expect(camt(text)).rejects.toThrow(message);
  });
});
