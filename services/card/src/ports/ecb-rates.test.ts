import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EcbRateSource, parseEcbRates } from './ecb-rates.ts';

const xml = (date: string, rates: Record<string, string>): string => {
  const cubes = Object.entries(rates).map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>\n\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>
\t<Cube>\n\t\t<Cube time='${date}'>\n${cubes.join('\n')}\n\t\t</Cube>\n\t</Cube>
</gesmes:Envelope>`;
};
const RATES = { USD: '1.0825', JPY: '164.32', GBP: '0.83323' };
const FRIDAY = xml('2024-10-25', RATES);

describe('the file of the European Central Bank', () => {
  it.each([
    ['XML', FRIDAY],
    ['CSV', 'Date, USD, JPY, GBP, BGN, \n25 October 2024, 1.0825, 164.32, 0.83323, N/A, \n'],
  ])('is read as %s', (_form, text) => {
    const { date, rates } = parseEcbRates(text);
    expect([date, Object.fromEntries(rates)]).toEqual(['2024-10-25', RATES]);
  });

  it.each([
    ['is empty', ''],
    ['is a page', '<html><body>503</body></html>'],
    ['is cut off', FRIDAY.slice(0, -30)],
    ['has a rate of zero', xml('2024-10-25', { USD: '0' })],
    ['has no number', xml('2024-10-25', { USD: 'n/a' })],
    ['has no rates', xml('2024-10-25', {})],
    ['has no day', xml('', RATES)],
    ['has rows that differ', 'Date, USD, JPY\n25 October 2024, 1.0825\n'],
  ])('is rejected when it %s', (_what, text) => {
    expect(() => parseEcbRates(text)).toThrow();
  });
});

describe('the reference rates', () => {
  let directory: string;
  let location: string;
  let now: Date;
  const source = () => new EcbRateSource({ location, maxAgeDays: 5, now: () => now, logger: quietLogger });
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'florin-rates-'));
    location = join(directory, 'eurofxref-daily.xml');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    now = new Date('2024-10-28T12:00:00Z');
    await writeFile(location, FRIDAY);
  });

  it.each([
    ['USD', 'EUR', '0.923787528868'],
    ['EUR', 'USD', '1.0825'],
    ['JPY', 'GBP', '0.005070776534'],
    ['EUR', 'EUR', '1'],
    ['ISK', 'EUR', undefined],
  ])('convert %s to %s at %s', async (from, to, rate) => {
    const rates = source();
    await rates.refresh();
    expect(await rates.find(from, to)).toEqual(rate === undefined ? undefined : { rate, date: '2024-10-25' });
    await rates.close();
  });

  it('stay in force when the next ones are malformed, earlier or away, until they are too old', async () => {
    const rates = source();
    await rates.refresh();
    for (const next of ['<html>', xml('2024-10-24', { USD: '2' })]) {
      await writeFile(location, next);
      await rates.refresh();
      expect(await rates.find('EUR', 'USD')).toEqual({ rate: '1.0825', date: '2024-10-25' });
    }
    await rm(location);
    await rates.refresh();
    now = new Date('2024-10-30T00:00:01Z');
    expect(await rates.find('EUR', 'USD')).toEqual({ rate: '1.0825', date: '2024-10-25', isOld: true });
    await writeFile(location, xml('2024-10-29', { USD: '1.08' }));
    await rates.refresh();
    expect(await rates.find('EUR', 'USD')).toEqual({ rate: '1.08', date: '2024-10-29' });
    expect(rates.timestamp).toBe(Date.parse('2024-10-29') / 1000);
    await rates.close();
  });

  it('are read from a URL', async () => {
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end(FRIDAY));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const read = async () => {
      const rates = new EcbRateSource({ location: url, maxAgeDays: 5, now: () => now, logger: quietLogger });
      await rates.start();
      const found = await rates.find('EUR', 'USD');
      await rates.close();
      return found?.rate;
    };
    expect(await read()).toBe('1.0825');
    status = 503;
    expect(await read()).toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
  });
});
