/**
 * Names of ledger accounts. Each holds a balance per token.
 * - `<accountId>/<bucket>`: belongs to a user.
 * - a name without a slash: a system account (`system-accounts.ts`), which exists once per shard.
 *
 * Buckets of a user: `available` (free to spend), `held` (set aside by holds), `incoming` (deposits that are not cleared), `outgoing`
 * (withdrawals under way), `settling` (spent by card, still in the Safe), and `debt`, which alone is zero or below: what the user owes.
 * `available` and `debt` are never both other than zero: a forced debit takes `debt` only for what `available` does not cover, and what
 * arrives in `available` repays `debt` in the same entry.
 */
export const BUCKETS = ['available', 'held', 'incoming', 'outgoing', 'settling', 'debt'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Name of a system account. */
export type SystemAccount = string;

const SYSTEM_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Reports whether a text has the form of a system account's name; whether it is configured is another question. */
export const isSystemName = (text: string): boolean => SYSTEM_NAME.test(text);

export const userAccount = (accountId: string, bucket: Bucket): string => `${accountId}/${bucket}`;

export type Side = { owner: 'user'; accountId: string; bucket: Bucket } | { owner: 'system'; name: SystemAccount };

const isBucket = (text: string): text is Bucket => (BUCKETS as readonly string[]).includes(text);

/** Reads a name; undefined when it does not name a ledger account. */
export const parseLedgerAccount = (name: string): Side | undefined => {
  const slash = name.indexOf('/');
  if (slash === -1) return isSystemName(name) ? { owner: 'system', name } : undefined;
  const bucket = name.slice(slash + 1);
  return slash > 0 && isBucket(bucket) ? { owner: 'user', accountId: name.slice(0, slash), bucket } : undefined;
};

/** The buckets that make up the booked balance (ISO 20022). */
export const BOOKED_BUCKETS: readonly Bucket[] = ['available', 'held', 'outgoing', 'debt'];

const keys = new Map<string, Record<Bucket, string>>();

/**
 * Key of a user's balance: `<token>/<bucket>`. One string for each, made once: looked up many times for every transfer. There are as many
 * as tokens are configured.
 */
export const balanceKey = (token: string, bucket: Bucket): string => {
  let own = keys.get(token);
  if (own === undefined) {
    own = Object.fromEntries(BUCKETS.map((one) => [one, `${token}/${one}`])) as Record<Bucket, string>;
    keys.set(token, own);
  }
  return own[bucket];
};

/** Reports whether a ledger account counts towards a user's booked balance. */
export const isBookedAccount = (name: string): boolean => {
  const slash = name.indexOf('/');
  return slash !== -1 && (BOOKED_BUCKETS as readonly string[]).includes(name.slice(slash + 1));
};
