import { readFile } from 'node:fs/promises';
import type { Logger } from '@florin/rpc/observe';
import { createOutsideAgent } from '@florin/rpc/outside';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { request as send } from 'undici';
import { isRate } from '../domain/conversion.ts';
import type { Rate, RateSource } from './rate-source.ts';

/** The reference rates of a day: units of each currency for one euro, as decimal strings. */
type EcbRates = { date: string; rates: ReadonlyMap<string, string> };

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
];

const ratesOf = (date: string, rows: readonly (readonly [currency: string, rate: string])[]): EcbRates => {
  const wrong = rows.find(([currency, rate]) => !/^[A-Z]{3}$/.test(currency) || !isRate(rate));
  if (wrong !== undefined) throw new Error(`the rate of ${wrong[0]} is malformed`);
  if (rows.length === 0 || Number.isNaN(Date.parse(date))) throw new Error('there is no day with rates');
  return { date, rates: new Map(rows) };
};

const parseXml = (text: string): EcbRates => {
  if (!/<\/gesmes:Envelope>\s*$/.test(text)) throw new Error('the document has no end');
  const [, date = '', cube = ''] = /<Cube\s+time=['"]([0-9-]{10})['"]\s*>([\s\S]*?)<\/Cube>/.exec(text) ?? [];
  const rows = [...cube.matchAll(/<Cube\s+([^>]*?)\/>/g)].map(([, attributes = '']) => {
    const attribute = (name: string): string => new RegExp(`${name}=['"]([^'"]*)['"]`).exec(attributes)?.[1] ?? '';
    return [attribute('currency'), attribute('rate')] as const;
  });
  return ratesOf(date, rows);
};

const dayOf = (text: string): string => {
  const [, day = '', month = '', year = ''] = /^([0-9]{1,2}) ([A-Za-z]+) ([0-9]{4})$/.exec(text) ?? [];
  const number = MONTHS.indexOf(month) + 1;
  return number === 0 ? text : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
};

const parseCsv = (text: string): EcbRates => {
  const [names = [], values = []] = text.split(/\r?\n/).map((line) => line.split(',').map((cell) => cell.trim()));
  if (names.length !== values.length) throw new Error('the rows differ in length');
  const rows = names.flatMap((name, column) => {
    const rate = values[column] ?? '';
    return column === 0 || name === '' || rate === 'N/A' ? [] : [[name, rate] as const];
  });
  return ratesOf(dayOf(values[0] ?? ''), rows);
};

/**
 * Reads the euro foreign exchange reference rates of the European Central Bank: `eurofxref-daily.xml`, or the same as CSV.
 * @throws Error when they are malformed
 */
export const parseEcbRates = (text: string): EcbRates => (text.trimStart().startsWith('<') ? parseXml(text.trimEnd()) : parseCsv(text));

const DIGITS = 12;

/** A decimal string as an integer and its number of decimals. */
const scaled = (rate: string): [bigint, bigint] => {
  const [whole = '0', fraction = ''] = rate.split('.');
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
};

/** `numerator / denominator` with twelve decimals, rounded half up. */
const quotient = (numerator: string, denominator: string): string => {
  const [[a, aScale], [b, bScale]] = [scaled(numerator), scaled(denominator)];
  const [over, under] = [a * bScale * 10n ** BigInt(DIGITS), b * aScale];
  const digits = ((2n * over + under) / (2n * under)).toString().padStart(DIGITS + 1, '0');
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`.replace(/\.?0+$/, '');
};

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const INTERVAL_MS = 600_000;

const reader = (location: string): { read: () => Promise<string>; close: () => Promise<void> } => {
  if (!/^https?:/.test(location)) return { read: () => readFile(location, 'utf8'), close: async () => undefined };
  const dispatcher = createOutsideAgent({ connections: 1, maxResponseSize: MAX_BYTES });
  const read = async (): Promise<string> => {
    const { statusCode, body } = await send(location, { dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`the server of the rates returned status ${statusCode}`);
    return text;
  };
  return { read, close: () => dispatcher.close() };
};

type Options = { location: string; maxAgeDays: number; now: () => Date; logger: Logger };

/** The reference rates of the European Central Bank, from a file or a URL. A malformed or older file leaves the last good rates in force. */
export class EcbRateSource implements RateSource {
  readonly #maxAgeMs: number;
  readonly #now: () => Date;
  readonly #logger: Logger;
  readonly #from: ReturnType<typeof reader>;
  #current: EcbRates | undefined;
  #rounds: Rounds | undefined;

  constructor({ location, maxAgeDays, now, logger }: Options) {
    this.#maxAgeMs = maxAgeDays * DAY_MS;
    this.#now = now;
    this.#logger = logger;
    this.#from = reader(location);
  }

  /** Reads the rates once, and from then on every ten minutes. */
  async start(): Promise<void> {
    await this.refresh();
    this.#rounds = startRounds({
      round: () => this.refresh(),
      intervalMs: INTERVAL_MS,
      logger: this.#logger,
      failed: 'reading rates failed',
    });
  }

  async refresh(): Promise<void> {
    try {
      const read = parseEcbRates(await this.#from.read());
      if (this.#current !== undefined && read.date < this.#current.date) throw new Error(`the rates are of ${read.date}, which is earlier`);
      this.#current = read;
    } catch (err) {
      this.#logger.error({ err, date: this.#current?.date }, 'the reference rates cannot be read: those that are known stay in force');
    }
  }

  /** The day of the rates in Unix time; 0 without any. */
  get timestamp(): number {
    return this.#current === undefined ? 0 : Date.parse(this.#current.date) / 1000;
  }

  async find(from: string, to: string): Promise<Rate | undefined> {
    if (this.#current === undefined) return undefined;
    const { date, rates } = this.#current;
    const [source, target] = [from, to].map((currency) => (currency === 'EUR' ? '1' : rates.get(currency)));
    if (source === undefined || target === undefined) return undefined;
    const rate = quotient(target, source);
    const isOld = this.#now().getTime() - Date.parse(date) > this.#maxAgeMs;
    return isRate(rate) ? { rate, date, ...(isOld ? { isOld } : {}) } : undefined;
  }

  async close(): Promise<void> {
    await this.#rounds?.close();
    await this.#from.close();
  }
}
