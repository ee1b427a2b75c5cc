import { hash } from 'node:crypto';
import { isSignedBy, keyId, type PublicKey } from '@florin/rpc/signing-key';
import { getAddress } from 'viem';
import { z } from 'zod';
import { predictSafeAddress } from '../safe/index.ts';
import { CHAIN_ACCOUNT, createLinesHash, type Liabilities, RESERVES_FORMAT, reservesText } from './format.ts';
import { signatureProblem } from './head.ts';
import { rootOfLeaf } from './leaf-proof.ts';
import { createOwedTree, type OwedTree } from './owed.ts';

/** Nothing that a terminal would obey or hide: printable ASCII without escapes. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;
const MAX_LINE = 64 * 1024;

/** Clocks differ. */
const MAX_AHEAD_MS = 300_000;

const amount = z.string().regex(/^-?[1-9][0-9]{0,79}$/);
const symbol = z.string().min(1).max(64);
const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const number = z.number().int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const totals = z.array(z.tuple([z.string(), amount]));

const positive = z.string().regex(/^[1-9][0-9]{0,79}$/);
const amounts = z.array(z.tuple([symbol, positive])).min(1);
const uuid = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const headerSchema = z.tuple([
  z.literal(RESERVES_FORMAT),
  number,
  number,
  z.string().regex(/^0x[0-9a-f]{64}$/),
  z.iso.datetime(),
  z.array(z.tuple([symbol, address])).min(1),
]);
const safeSchema = z.tuple([z.literal('safe'), uuid, address, z.array(address).min(1).max(2), amounts]);
const treasurySchema = z.tuple([z.literal('treasury'), address, amounts]);
const owedSchema = z.tuple([z.literal('owed'), z.string(), z.string(), amounts, z.union([z.literal(''), address])]);
const liabilitiesSchema = z.object({
  head: z.object({
    shard: z.string(),
    n: number,
    hash: digest,
    at: z.string(),
    root: digest,
    owed: digest,
    shards: z.array(z.string()).min(1),
    key: z.string(),
    signature: z.string(),
  }),
  publicKey: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
  totals,
  chain: z
    .object({
      account: z.tuple([z.literal(CHAIN_ACCOUNT), z.literal('system'), totals, digest]),
      accountPath: z.array(z.string()),
      bucketPath: z.array(digest),
    })
    .nullable(),
});
const signatureSchema = z.tuple([z.literal('signature'), z.string(), z.string(), z.string()]);

/** One token of a proof, in its smallest unit. */
export type TokenReserves = {
  token: string;
  /** The contract whose balances the file has; undefined when the file does not name the token, although it is owed. */
  contract: string | undefined;
  /** The sum of all Safes. */
  held: bigint;
  /** The sum of what is owed to all accounts. */
  owed: bigint;
  /** The sum that is missing in Safes that hold less than is owed to their accounts; a surplus of others is not counted. */
  missing: bigint;
  /** Accounts whose Safes hold too little, at most ten of them. */
  short: string[];
  /** The balance of the treasuries that the reader trusts. */
  treasury: bigint;
  /** Transfers into the Safes that were booked, as the heads state them. */
  booked: bigint;
  /** Balances of users by bucket, and of other accounts of the ledger, as the signer states them. */
  totals: { name: string; amount: bigint }[];
  /** Undefined if the contract is the reader's, and every Safe holds what is owed to its account, or a trusted treasury holds what is missing. */
  fault: 'not in the file' | 'another contract' | 'missing' | undefined;
};

/** One token of one account, in its smallest unit. */
export type AccountReserves = { accountId: string; token: string; held: bigint; owed: bigint };

export type CheckedReserves = {
  chainId: number;
  block: number;
  blockHash: string;
  /** When the file was begun. */
  at: string;
  /** Heads of the ledger that state what is owed. */
  heads: { shard: string; n: number; at: string }[];
  key: string;
  /** Safes that hold something. */
  safes: number;
  /** Second owners of Safes: the platform. */
  platforms: string[];
  /** Treasuries that the file names. */
  treasuries: string[];
  /** Those that the file names, and those that are owed and are not known to be elsewhere. */
  tokens: TokenReserves[];
  /** By account and token: what the Safe holds and what is owed, of tokens that the file names. */
  accounts: AccountReserves[];
  /** SHA-256 of the file. */
  hash: string;
};

/** The tokens as a reader of a proof knows them: whoever writes the file chooses the contracts that it names, and the tokens that it leaves out. */
export type KnownTokens = {
  /** Contracts on the chain of the file (lower case), by symbol. */
  contracts: ReadonlyMap<string, string>;
  /** Symbols of tokens that are not on this chain. */
  elsewhere: ReadonlySet<string>;
};

export type ReservesCheck = {
  /** Keys that are accepted; undefined accepts the key in the file, whose thumbprint has then to be compared. */
  trusted?: readonly PublicKey[] | undefined;
  /** Treasuries (lower case) that may hold what is missing in Safes, refunds that have not been returned for example. */
  treasuries?: readonly string[];
  tokensOf: (chainId: number) => KnownTokens;
  now: Date;
  /** Greatest age of the file. */
  maxAgeMs: number;
};

const SYSTEM_CHAIN = `system/${CHAIN_ACCOUNT}`;
const keyOfChain = (token: string): string => `${token}/${SYSTEM_CHAIN}`;

const USER_BUCKETS: ReadonlySet<string> = new Set(['available', 'held', 'incoming', 'outgoing', 'settling', 'debt']);

/** Parses a line that must be in its one spelling. */
const parse = <T>(schema: z.ZodType<T>, line: string): T => {
  const parsed = schema.safeParse(JSON.parse(line));
  if (!parsed.success || JSON.stringify(parsed.data) !== line) throw new Error('a line is not in the format of a proof of reserves');
  return parsed.data;
};

type Shard = { tree: OwedTree; owed: Map<string, bigint> };

const checkLiabilities = (line: string, trusted: readonly PublicKey[] | undefined, stated: Shard | undefined): Liabilities => {
  const found = parse(liabilitiesSchema, line);
  const { head, publicKey, chain } = found;
  const shard = `shard ${head.shard}`;
  if (keyId(publicKey) !== head.key) throw new Error(`${shard}: the public key is not the one that the head names`);
  const problem = signatureProblem(head, trusted ?? [publicKey]);
  if (problem !== undefined) throw new Error(`${shard}: ${problem}`);
  if (chain !== null && rootOfLeaf(chain) !== head.root) throw new Error(`${shard}: the path does not lead to the root of the signed head`);
  if ((stated?.tree ?? createOwedTree()).root() !== head.owed) throw new Error(`${shard}: what is owed is not what the signed head states`);
  const sums = new Map<string, bigint>();
  const ofUsers = new Map<string, bigint>();
  for (const [key, text] of found.totals) {
    const [token = '', name = ''] = key.split('/');
    if (key === keyOfChain(token) && chain?.account[2].find(([own]) => own === token)?.[1] !== text)
      throw new Error(`${shard}: the total of ${key} is not that of the signed head`);
    if (USER_BUCKETS.has(name) && (name === 'debt') !== text.startsWith('-'))
      throw new Error(`${shard}: the total of ${key} has the wrong sign`);
    sums.set(token, (sums.get(token) ?? 0n) + BigInt(text));
    if (USER_BUCKETS.has(name)) ofUsers.set(token, (ofUsers.get(token) ?? 0n) + BigInt(text));
  }
  for (const [token] of chain?.account[2] ?? [])
    if (!found.totals.some(([key]) => key === keyOfChain(token))) throw new Error(`${shard}: a total of ${token} is missing`);
  for (const [token, sum] of sums) if (sum !== 0n) throw new Error(`${shard}: the totals of ${token} add up to ${sum} instead of 0`);
  for (const [token, sum] of ofUsers)
    if (sum > (stated?.owed.get(token) ?? 0n))
      throw new Error(`${shard}: less ${token} is owed to accounts than all of them together have`);
  return found;
};

/** Amounts by token, each token once. */
const amountsOf = (rows: readonly (readonly [string, string])[], what: string): [string, bigint][] => {
  if (new Set(rows.map(([token]) => token)).size < rows.length) throw new Error(`${what} states a token twice`);
  return rows.map(([token, text]) => [token, BigInt(text)]);
};

/** The content of a file, read line by line: amounts by account and token. */
type Reading = {
  header: z.output<typeof headerSchema>;
  /** Addresses by account. */
  safes: Map<string, string>;
  held: Map<string, Map<string, bigint>>;
  owed: Map<string, Map<string, bigint>>;
  treasuries: Map<string, Map<string, bigint>>;
  platforms: Set<string>;
  shards: Map<string, Shard>;
  heads: string[];
};

const readSafe = (line: string, { safes, held, platforms, header }: Reading, last: string): string => {
  const [, id, safe, owners, rows] = parse(safeSchema, line);
  const what = `the Safe of account ${id}`;
  if (id <= last) throw new Error(`${what} is not in its order`);
  // Nobody can list an address that is not the Safe of this account and these owners.
  const own = predictSafeAddress(
    id,
    owners.map((owner) => getAddress(owner)),
  );
  if (own.toLowerCase() !== safe) throw new Error(`${what} has another address than follows from its owners`);
  const found = amountsOf(rows, what);
  const tokens = new Set(header[5].map(([token]) => token));
  if (found.some(([token]) => !tokens.has(token))) throw new Error(`${what} holds a token that the file does not name`);
  safes.set(id, safe);
  held.set(id, new Map(found));
  const [, platform] = owners;
  if (platform !== undefined) platforms.add(platform);
  return id;
};

const readOwed = (line: string, { safes, owed, shards, heads }: Reading): void => {
  if (heads.length > 0) throw new Error('what is owed is not in its order');
  const [, shard, id, rows, safe] = parse(owedSchema, line);
  // A reader of the file sees the Safe that was shown to the account's person with the same head.
  if ((safes.get(id) ?? safe) !== safe) throw new Error(`the Safe of account ${id} is not the one that the signed head states`);
  if (owed.has(id)) throw new Error(`what is owed to account ${id} is stated twice`);
  const found = amountsOf(rows, `what is owed to account ${id}`);
  const own = shards.get(shard) ?? { tree: createOwedTree(), owed: new Map<string, bigint>() };
  shards.set(shard, own);
  own.tree.add([id, rows, safe]);
  for (const [token, sum] of found) own.owed.set(token, (own.owed.get(token) ?? 0n) + sum);
  owed.set(id, new Map(found));
};

const sumOf = (all: Iterable<ReadonlyMap<string, bigint>>, token: string): bigint => {
  let sum = 0n;
  for (const one of all) sum += one.get(token) ?? 0n;
  return sum;
};

const MAX_SHORT = 10;

const tokenOf = (
  [token, contract]: readonly [token: string, contract?: string],
  { held, owed, treasuries }: Reading,
  shards: readonly Liabilities[],
  trusted: readonly string[],
  known: KnownTokens,
): TokenReserves => {
  let missing = 0n;
  const short: string[] = [];
  for (const [id, amounts] of owed) {
    const lack = (amounts.get(token) ?? 0n) - (held.get(id)?.get(token) ?? 0n);
    if (lack <= 0n) continue;
    missing += lack;
    if (short.length < MAX_SHORT) short.push(id);
  }
  const sums = new Map<string, bigint>();
  for (const [key, text] of shards.flatMap((shard) => shard.totals)) {
    if (!key.startsWith(`${token}/`)) continue;
    const name = key.slice(token.length + 1);
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(text));
  }
  const booked = -(sums.get(SYSTEM_CHAIN) ?? 0n);
  sums.delete(SYSTEM_CHAIN);
  const treasury = sumOf(
    [...treasuries].filter(([one]) => trusted.includes(one)).map(([, amounts]) => amounts),
    token,
  );
  const fault = ((): TokenReserves['fault'] => {
    if (contract === undefined) return 'not in the file';
    if (known.contracts.get(token) !== contract) return 'another contract';
    return missing <= treasury ? undefined : 'missing';
  })();
  return {
    token,
    contract,
    held: sumOf(held.values(), token),
    owed: sumOf(owed.values(), token),
    missing,
    short,
    treasury,
    booked,
    totals: [...sums].map(([name, sum]) => ({ name, amount: sum })),
    fault,
  };
};

/** Requires that a signature fits a file. @returns the key that signed it. @throws Error */
const requireSigned = ([, key, x, text]: z.output<typeof signatureSchema>, linesHash: string, heads: readonly string[]): PublicKey => {
  const publicKey: PublicKey = { kty: 'OKP', crv: 'Ed25519', x };
  if (keyId(publicKey) !== key) throw new Error('the public key is not the one that the signature names');
  if (!isSignedBy(publicKey, reservesText(linesHash, heads), text)) throw new Error('the signature does not fit the file');
  return publicKey;
};

const check = (
  lines: Iterable<string>,
  fileHash: string,
  { trusted, treasuries = [], tokensOf, now, maxAgeMs }: ReservesCheck,
): CheckedReserves => {
  const linesHash = createLinesHash();
  let reading: Reading | undefined;
  let lastSafe = '';
  let signature: z.output<typeof signatureSchema> | undefined;
  for (const line of lines) {
    if (line.length > MAX_LINE || !PLAIN.test(line)) throw new Error('the file holds characters that no proof has');
    if (signature !== undefined) throw new Error('the file goes on after its signature');
    if (line.startsWith('{') && reading !== undefined) {
      reading.heads.push(line);
      continue;
    }
    if (reading === undefined) {
      const header = parse(headerSchema, line);
      const none = () => new Map<string, Map<string, bigint>>();
      reading = {
        header,
        safes: new Map(),
        held: none(),
        owed: none(),
        treasuries: none(),
        platforms: new Set(),
        shards: new Map(),
        heads: [],
      };
    } else if (line.startsWith('["owed"')) readOwed(line, reading);
    else if (line.startsWith('["safe"') && reading.owed.size + reading.heads.length === 0) lastSafe = readSafe(line, reading, lastSafe);
    else if (line.startsWith('["treasury"') && reading.owed.size + reading.heads.length === 0) {
      const [, treasury, rows] = parse(treasurySchema, line);
      if (reading.treasuries.has(treasury)) throw new Error(`the treasury ${treasury} is stated twice`);
      reading.treasuries.set(treasury, new Map(amountsOf(rows, `the treasury ${treasury}`)));
    } else {
      signature = parse(signatureSchema, line);
      continue;
    }
    linesHash.add(line);
  }
  if (reading === undefined || signature === undefined) throw new Error('the file is not complete');
  const { header, held, owed, treasuries: holders, platforms, shards, heads } = reading;
  const [, key] = signature;
  if (trusted !== undefined && !trusted.some((one) => keyId(one) === key))
    throw new Error(`the file is signed with the key ${key}, which is not trusted`);
  const publicKey = requireSigned(signature, linesHash.digest(), heads);
  // Heads may be signed by earlier keys only where a reader says which keys to trust.
  const liabilities = heads.map((line) =>
    checkLiabilities(line, trusted ?? [publicKey], shards.get(parse(liabilitiesSchema, line).head.shard)),
  );
  const stated = liabilities.map(({ head }) => head.shard);
  if (new Set(stated).size !== stated.length) throw new Error('a shard is stated twice');
  const [, chainId, block, blockHash, at, tokens] = header;
  for (const { head } of liabilities)
    for (const shard of head.shards ?? [])
      if (!stated.includes(shard)) throw new Error(`shard ${shard}, which the head of shard ${head.shard} names, is missing`);
  for (const shard of shards.keys()) if (!stated.includes(shard)) throw new Error(`shard ${shard} has no head`);
  const ageMs = now.getTime() - Date.parse(at);
  const known = tokensOf(chainId);
  const named = new Set(tokens.map(([token]) => token));
  if (named.size < tokens.length) throw new Error('a token is named twice');
  const owedTokens = new Set([...owed.values()].flatMap((amounts) => [...amounts.keys()]));
  const unnamed = [...owedTokens].filter((token) => !named.has(token) && !known.elsewhere.has(token)).sort();
  if (ageMs > maxAgeMs) throw new Error(`the file is of ${at}: older than ${maxAgeMs / 3_600_000} hours`);
  if (ageMs < -MAX_AHEAD_MS) throw new Error(`the file is of ${at}, which is still to come`);
  const accounts = [...new Set([...held.keys(), ...owed.keys()])].sort().flatMap((accountId) =>
    [...named].sort().flatMap((token): AccountReserves[] => {
      const [own = 0n, due = 0n] = [held, owed].map((all) => all.get(accountId)?.get(token));
      return own === 0n && due === 0n ? [] : [{ accountId, token, held: own, owed: due }];
    }),
  );
  return {
    chainId,
    block,
    blockHash,
    at,
    heads: liabilities.map(({ head }) => ({ shard: head.shard, n: head.n, at: head.at })),
    key,
    safes: held.size,
    platforms: [...platforms],
    treasuries: [...holders.keys()],
    accounts,
    hash: fileHash,
    tokens: [...tokens, ...unnamed.map((token) => [token] as const)].map((token) =>
      tokenOf(token, reading, liabilities, treasuries, known),
    ),
  };
};

/** The lines of a text whose last one is ended as well. */
const linesIn = function* (text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if (end === -1) throw new Error('the file ends within a line');
    yield text.slice(start, end);
    start = end + 1;
  }
};

/**
 * Requires that lines end a file that begins with others: a ledger of another release signs another format.
 * @param linesHash SHA-256 of the lines before, 64 hex digits
 * @param end the heads, and the signature
 * @throws Error
 */
export const requireEnd = (linesHash: string, end: string): void => {
  const lines = [...linesIn(end)];
  requireSigned(parse(signatureSchema, lines.at(-1) ?? ''), linesHash, lines.slice(0, -1));
};

/**
 * Checks a proof of reserves offline: every byte of it is signed; every Safe has the address that follows from its account and owners; what is owed to each
 * account is what the signed heads of all shards state; each Safe holds it, in the contracts that the reader knows; and no token that is owed is left out. It
 * does not show what the chain says: a node can be asked for each balance at the block that the file names, and for the time of that block. The heads commit to the
 * Safes, so that nobody is shown another one than the reader of the file; for an account whose person never checks, whoever signs can state owners of their own.
 * @returns what it shows, or what is wrong with it
 */
export const checkReserves = (text: string, options: ReservesCheck): { reserves: CheckedReserves } | { problem: string } => {
  try {
    return { reserves: check(linesIn(text), hash('sha256', text), options) };
  } catch (error) {
    return { problem: error instanceof SyntaxError || !(error instanceof Error) ? 'the file cannot be read' : error.message };
  }
};
