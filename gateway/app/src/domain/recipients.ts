import { parseJson } from '@florin/ui/page/parse-json.ts';

/** The most addresses without a name that are offered. */
const MAX = 5;

/** Names by address, in lower case. */
export type RecipientNames = ReadonlyMap<string, string>;

const isNamed = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '';

/** Reads names that were kept, perhaps by another build of the app. */
export const parseNames = (text: string | undefined): RecipientNames => new Map(Object.entries(parseJson(text) ?? {}).filter(isNamed));

type Sent = { to?: string | undefined; status: string; processingAt?: string | undefined };

/** Reports whether the platform has sent a withdrawal. What has left the Safe without it was never processed, and a thief's address must be neither offered nor named. */
export const wasSent = ({ status, processingAt }: Sent): boolean => status === 'completed' && processingAt !== undefined;

/**
 * The addresses that are offered for a withdrawal: those with a name, then those that the person has withdrawn to before, the latest first.
 * @param withdrawals newest first
 * @param own the person's own wallet, which is offered anyway
 */
export const recipientsOf = (withdrawals: readonly Sent[], names: RecipientNames, own: string | undefined): string[] => {
  const used = new Map(withdrawals.filter(wasSent).flatMap(({ to }) => (to === undefined ? [] : [[to.toLowerCase(), to]])));
  const isOther = (address: string): boolean => address.toLowerCase() !== own?.toLowerCase();
  const named = [...names].sort(([, one], [, other]) => one.localeCompare(other)).map(([address]) => used.get(address) ?? address);
  const unnamed = [...used].flatMap(([key, address]) => (names.has(key) ? [] : [address]));
  return [...named.filter(isOther), ...unnamed.filter(isOther).slice(0, MAX)];
};
