/**
 * Names of ledger accounts.
 * - `user/<accountId>/<token>/<bucket>`: what belongs to a user. Never below zero.
 * - `chain/<token>`: the outside world. Goes below zero by what the platform holds, so that every token's sum is zero.
 * - `refused/<token>`: deposits that screening refused. They lie in a Safe, but are nobody's to spend. Never below zero.
 */
export const BUCKETS = ['available', 'held', 'incoming', 'outgoing'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const userAccount = (accountId: string, token: string, bucket: Bucket): string => `user/${accountId}/${token}/${bucket}`;
export const chainAccount = (token: string): string => `chain/${token}`;
export const refusedAccount = (token: string): string => `refused/${token}`;

export type LedgerAccountName =
  | { owner: 'user'; accountId: string; token: string; bucket: Bucket }
  | { owner: 'chain' | 'refused'; token: string };

/** Reads a name; undefined when it is none. */
export const parseLedgerAccount = (name: string): LedgerAccountName | undefined => {
  const [owner, first, token, bucket, ...rest] = name.split('/');
  if (rest.length > 0 || !first) return undefined;
  if (owner === 'user') {
    const known = BUCKETS.find((candidate) => candidate === bucket);
    return !token || known === undefined ? undefined : { owner, accountId: first, token, bucket: known };
  }
  if ((owner === 'chain' || owner === 'refused') && token === undefined) return { owner, token: first };
  return undefined;
};

/** Only the outside world may owe. */
export const mayOverdraw = (name: LedgerAccountName): boolean => name.owner === 'chain';
