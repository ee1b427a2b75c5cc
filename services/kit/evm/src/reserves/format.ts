import { createHash, hash } from 'node:crypto';
import type { PublicKey } from '@florin/rpc/signing-key';
import type { Head } from './head.ts';
import type { LeafProof } from './leaf-proof.ts';

/**
 * A proof of reserves is a file of lines, each JSON in its one spelling:
 *
 *     ["florin-reserves-3", chainId, block, blockHash, time, [[token, contract], …]]
 *     ["safe", accountId, safe, [owner, …], [[token, amount], …]]  for each Safe that holds something after the block, by account
 *     ["treasury", address, [[token, amount], …]]                  for each treasury that collects what was spent
 *     ["owed", shard, accountId, [[token, amount], …], safe]       for each account to which something is owed, by shard, bucket and account
 *     {"head", "publicKey", "totals", "chain"}                     for each shard: the signed head, which states the root of what is owed
 *     ["signature", key, x, signature]
 *
 * The address of a Safe follows from the account and the owners of its initializer, and a head commits to the Safes of all accounts to which something is owed. The
 * chain service writes the first three kinds, and the ledger the others. Proofs by earlier releases, which do not commit
 * to them, are not accepted any more.
 */

export const RESERVES_FORMAT = 'florin-reserves-3';

/** System account that owes what the Safes hold: with a minus, everything that has moved into them and was booked. */
export const CHAIN_ACCOUNT = 'chain';

/** The liabilities of a shard after a block. */
export type Liabilities = {
  /** States the root of all balances. */
  head: Head;
  /** Key that signed the head and the file. */
  publicKey: PublicKey;
  /** Sums of balances: of a user's buckets by `<token>/<bucket>`, of a system account by `<token>/system/<name>`. Sorted, without zeros. */
  totals: [key: string, amount: string][];
  /** The account `chain` in the tree of the head; null when it has no balance. Because all accounts add up to zero, it fixes the sum of the others. */
  chain: LeafProof | null;
};

export const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The signed bytes. @param linesHash SHA-256 of everything before the heads, 64 hex digits @param liabilities the lines with heads */
export const reservesText = (linesHash: string, liabilities: readonly string[]): string =>
  JSON.stringify([RESERVES_FORMAT, linesHash, hash('sha256', linesOf(liabilities))]);

/** SHA-256 of lines, line by line. */
export const createLinesHash = () => {
  const made = createHash('sha256');
  return { add: (line: string) => void made.update(`${line}\n`), digest: () => made.digest('hex') };
};
