/**
 * Names of ledger accounts. Each holds a balance per token.
 * - `<accountId>/<bucket>`: what belongs to a user. Never below zero.
 * - `chain`: the outside world beyond the Safes. Owes what the platform holds, so that every token's sum is zero.
 * - `settlement`: the card network, which is owed what cards have spent and owes what it refunds.
 * - `fees`: what users paid the platform. Never below zero.
 * - `refused`: deposits that screening refused. They lie in a Safe, but are nobody's to spend. Never below zero.
 *
 * The four without a user exist once per shard.
 */
export const BUCKETS = ['available', 'held', 'incoming', 'outgoing'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const SYSTEM_ACCOUNTS = ['chain', 'settlement', 'fees', 'refused'] as const;
export type SystemAccount = (typeof SYSTEM_ACCOUNTS)[number];

/** System accounts that entries of platform services may name. The other two belong to deposits and withdrawals. */
export const OPEN_SYSTEM_ACCOUNTS: readonly SystemAccount[] = ['settlement', 'fees'];

export const userAccount = (accountId: string, bucket: Bucket): string => `${accountId}/${bucket}`;

export type Side = { owner: 'user'; accountId: string; bucket: Bucket } | { owner: 'system'; name: SystemAccount };

const isBucket = (text: string): text is Bucket => (BUCKETS as readonly string[]).includes(text);
export const isSystemAccount = (text: string): text is SystemAccount => (SYSTEM_ACCOUNTS as readonly string[]).includes(text);

/** Reads a name; undefined when it is none. */
export const parseLedgerAccount = (name: string): Side | undefined => {
  const slash = name.indexOf('/');
  if (slash === -1) return isSystemAccount(name) ? { owner: 'system', name } : undefined;
  const bucket = name.slice(slash + 1);
  return slash > 0 && isBucket(bucket) ? { owner: 'user', accountId: name.slice(0, slash), bucket } : undefined;
};

/** Only who stands outside of the platform may owe. */
export const mayOverdraw = (name: SystemAccount): boolean => name === 'chain' || name === 'settlement';
