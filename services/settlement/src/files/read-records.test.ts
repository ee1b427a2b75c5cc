import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCamt053 } from './camt053.ts';
import { readCsv } from './csv.ts';
import { toMinorUnit } from './file-record.ts';

/** In pieces, as files come. */
const inPieces = (text: string, length = 7): Readable => Readable.from(text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []);
const csv = (text: string) => Array.fromAsync(readCsv(inPieces(text), 'processor'));
const camt = (text: string, length?: number) => Array.fromAsync(readCamt053(inPieces(text, length), 'bank'));

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
<Stmt><Id>STMT 7</Id><Bal><Amt Ccy="EUR">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;

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
    ['no direction', statement(entry('').replace('DBIT', '')), '"" is not a direction'],
  ])('is rejected if it is %s', async (_what, text, message) => {
    await expect(camt(text)).rejects.toThrow(message);
  });
});
