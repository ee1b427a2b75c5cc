import type { CardTransaction, CurrencyBalance } from '@florin/client';
import { parseJson } from '@florin/ui/page/parse-json.ts';

/** The balance and payments seen last, for a start without a connection. */
export type LastKnown = { at: string; balance: CurrencyBalance; payments: readonly CardTransaction[] };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

const isMoney = (amount: unknown, { decimals, currency }: Fields): boolean =>
  typeof amount === 'string' && /^-?\d+$/.test(amount) && Number.isInteger(decimals) && typeof currency === 'string';

const isMerchant = (value: unknown): boolean => isObject(value) && (value['name'] === undefined || typeof value['name'] === 'string');

const isPayment = (value: unknown): boolean =>
  isObject(value) && isMoney(value['amount'], value) && isTime(value['createdAt']) && isMerchant(value['merchant']);

const isBalance = (value: unknown): boolean => isObject(value) && isMoney(value['spendable'], value);

const isDrawable = (value: unknown): value is LastKnown =>
  isObject(value) &&
  isTime(value['at']) &&
  isBalance(value['balance']) &&
  Array.isArray(value['payments']) &&
  value['payments'].every(isPayment);

/** Reads what was kept, perhaps by another build of the app. @returns undefined unless all that is drawn of it is there */
export const parseLastKnown = (text: string): LastKnown | undefined => {
  const known = parseJson(text);
  return isDrawable(known) ? known : undefined;
};
