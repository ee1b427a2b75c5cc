import { hash } from 'node:crypto';
import { type Book, STATUS } from './book.ts';
import { type ReadBlock, readBlocks } from './read-blocks.ts';
import { AuditError, type Source } from './source.ts';

/** `sum` covers what never changes; records that release 0.2.0 wrote have none. */
type StoredAccount = {
  _id: string;
  userId: string;
  kycProfileId: string;
  safeOwnerAddress: string;
  safeAddress: string;
  chainId: number;
  chainName: string;
  reference: string;
  nativeCurrency: string;
  additionalCurrencies: readonly string[];
  createdAt: Date;
  inputHash: string;
  sum?: string;
  status: string;
  asOf: number;
};
type Reference = { _id: string; accountId: string };

const ACCOUNTS_PER_QUERY = 500;

const positionOf = (n: number, index: number): number => n * 100_000 + index;
const digestOf = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url');

const sealOf = (account: StoredAccount): string => {
  const { _id, userId, kycProfileId, safeOwnerAddress, safeAddress, chainId, chainName, reference, inputHash, createdAt } = account;
  const owner = [userId, kycProfileId, safeOwnerAddress, safeAddress, chainId, chainName, reference];
  return digestOf([_id, ...owner, account.nativeCurrency, account.additionalCurrencies, createdAt, inputHash]);
};

/** Describes the fault of a record by itself; undefined when it is sound. */
const recordProblem = (account: StoredAccount): string | undefined => {
  const { userId, kycProfileId, safeOwnerAddress, inputHash, sum } = account;
  if (digestOf([userId, kycProfileId, safeOwnerAddress.toLowerCase()]) !== inputHash) return 'differs from what it was opened with';
  return sum === undefined || sum === sealOf(account) ? undefined : 'has a wrong checksum';
};

/**
 * Holds the records of accounts against the journal: the status that it decided, the account's shard, and the payment reference.
 * @param projected block of the checkpoint, read before; the records have what the blocks up to it say
 * @param belongs whether an account belongs into this shard
 */
export const createAccountCheck = (
  {
    source,
    shard,
    start,
    projected,
    covers,
  }: { source: Source; shard: string; start: number; projected: number; covers: (id: string) => boolean },
  belongs: (accountId: string) => boolean,
) => {
  /** Changes of status after the start, oldest first. */
  const changes = new Map<string, { position: number; status: string }[]>();

  /** The status that an entry leads to, beyond the end of the walk. */
  const statusAt = async (accountId: string, position: number): Promise<string | undefined> => {
    const n = Math.floor(position / 100_000);
    for await (const found of source.collection('blocks').find({ shard, n }) as AsyncIterable<{ prevHash: string; at: Date }>) {
      const before = { n: n - 1, hash: found.prevHash, at: new Date(0) };
      for await (const { lines } of readBlocks(source, shard, before, n)) {
        const line = lines[position % 100_000];
        return line?.accountId === accountId ? STATUS[line.kind] : undefined;
      }
    }
    return undefined;
  };

  const statusProblem = async ({ _id, status, asOf }: StoredAccount, last: number, book: Book): Promise<string | undefined> => {
    const own = changes.get(_id) ?? [];
    const due = own.findLast(({ position }) => position < positionOf(projected + 1, 0))?.position ?? 0;
    if (!(asOf >= due)) return 'lacks a change of its status';
    const change = own.find(({ position }) => position === asOf);
    if (change !== undefined) return change.status === status ? undefined : `is not ${change.status}`;
    if (asOf >= positionOf(last + 1, 0))
      return (await statusAt(_id, asOf)) === status ? undefined : 'names an entry that does not set its status';
    if (start === 0) return asOf === 0 && status === 'provisioning' ? undefined : 'names an entry that does not set its status';
    if (!(asOf < positionOf(start + 1, 0))) return 'names an entry that does not set its status';
    return own.length > 0 || status === book.lineOf(_id)?.[1] ? undefined : `is not ${book.lineOf(_id)?.[1]}`;
  };

  return {
    note: ({ n, lines }: ReadBlock): void => {
      for (const [index, { kind, accountId }] of lines.entries()) {
        const status = STATUS[kind];
        if (status === undefined || kind === 'account.opened' || !covers(accountId)) continue;
        changes.set(accountId, [...(changes.get(accountId) ?? []), { position: positionOf(n, index), status }]);
      }
    },
    /** @param last block that the walk ends with @throws AuditError */
    end: async (last: number, book: Book): Promise<void> => {
      const ids = [...book.ids()].filter((id) => book.lineOf(id)?.[1] !== 'system');
      const fail = (id: string, what: string): never => {
        throw new AuditError(`${shard}:${last}`, `account ${id}: ${what}`);
      };
      for (let from = 0; from < ids.length; from += ACCOUNTS_PER_QUERY) {
        const some = ids.slice(from, from + ACCOUNTS_PER_QUERY);
        const found = source.collection('accounts').find({ _id: { $in: some } }) as AsyncIterable<StoredAccount>;
        const records = new Map((await Array.fromAsync(found)).map((record) => [record._id, record]));
        const named = [...records.values()].map(({ reference }) => reference);
        const claims = source.collection('references').find({ _id: { $in: named } }) as AsyncIterable<Reference>;
        const owners = new Map((await Array.fromAsync(claims)).map(({ _id, accountId }) => [_id, accountId]));
        for (const id of some) {
          if (!belongs(id)) fail(id, 'it belongs into another shard');
          const record = records.get(id) ?? fail(id, 'its record is missing');
          const problem = recordProblem(record) ?? (await statusProblem(record, last, book));
          if (problem !== undefined) fail(id, `its record ${problem}`);
          if (owners.get(record.reference) !== id) fail(id, 'its payment reference is not bound to it');
        }
      }
    },
  };
};
