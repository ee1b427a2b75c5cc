import { minorUnitDigits } from '@florin/rpc/money';

/** A record as the JSON of ImportRecords has it, with one of the kinds. Empty fields may be left out. */
export type FileRecord = { source: string; id: string; date: string; currency: string } & Partial<
  Record<'clearing' | 'bankMovement' | 'collection', Record<string, string>>
>;

/**
 * Reasons to book nothing of a file: it cannot be read; or a bank statement has no balances, does not add up, does not begin where the books end, has the id of another
 * movement that is booked, or is of another account.
 */
type FileErrorCode = 'FILE_BROKEN' | 'BALANCE_MISSING' | 'BALANCE_WRONG' | 'BALANCE_DIFFERS' | 'CONFLICTING' | 'ACCOUNT_UNKNOWN';

/** A file that is not booked, with the place. */
export class FileError extends Error {
  constructor(place: string, problem: string, code: FileErrorCode = 'FILE_BROKEN') {
    super(`${code}: ${place}: ${problem}`);
    this.name = 'FileError';
  }
}

/**
 * Converts a decimal amount into the currency's minor unit: `-28.50` EUR is `-2850`.
 * @throws FileError for another text, an unknown currency, and for parts of the minor unit
 */
export const toMinorUnit = (text: string, currency: string, place: string): string => {
  const digits = minorUnitDigits(currency);
  if (digits === undefined) throw new FileError(place, `"${currency}" is not a currency`);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]{1,15})(?:\.([0-9]{1,5}))?$/.exec(text) ?? [];
  if (whole === '' || !/^0*$/.test(fraction.slice(digits))) throw new FileError(place, `"${text}" is not an amount in ${currency}`);
  return String(BigInt(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`) * (sign === '' ? 1n : -1n));
};
