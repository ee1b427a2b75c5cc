import { z } from 'zod';
import { rootOfLeaf } from './balance-proof.ts';
import { signatureProblem } from './head.ts';
import { isSignedBy, keyId, type PublicKey } from './head-key.ts';
import { CHAIN_ACCOUNT, createLinesHash, type Liabilities, reservesText } from './reserves.ts';

/** Nothing that a terminal would obey or hide: printable ASCII without escapes. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;
const MAX_LINE = 64 * 1024;

const amount = z.string().regex(/^-?[1-9][0-9]{0,79}$/);
const symbol = z.string().min(1).max(64);
const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const number = z.number().int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const totals = z.array(z.tuple([z.string(), amount]));

const headerSchema = z.tuple([
  z.literal('florin-reserves-1'),
  number,
  number,
  z.string().regex(/^0x[0-9a-f]{64}$/),
  z.array(z.tuple([symbol, address])).min(1),
]);
const holdingSchema = z.tuple([address, symbol, amount]);
const liabilitiesSchema = z.object({
  head: z.object({ shard: z.string(), n: number, hash: digest, at: z.string(), root: digest, key: z.string(), signature: z.string() }),
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
  /** The sum of all Safes. */
  held: bigint;
  /** Transfers into the Safes that were booked: the sum of everything below. */
  booked: bigint;
  /** Users' balances by bucket, and other accounts of the ledger, to whom users have paid what has not left the Safes yet. */
  owed: { name: string; amount: bigint }[];
  /** True if the Safes hold what was booked, and what all users together have, not counting debt of others. */
  covered: boolean;
};

export type CheckedReserves = {
  chainId: number;
  block: number;
  blockHash: string;
  /** Heads of the ledger that state what is owed. */
  heads: { shard: string; n: number; at: string }[];
  key: string;
  safes: number;
  tokens: TokenReserves[];
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

const checkLiabilities = (line: string, trusted: readonly PublicKey[] | undefined): Liabilities => {
  const found = parse(liabilitiesSchema, line);
  const { head, publicKey, chain } = found;
  const shard = `shard ${head.shard}`;
  if (keyId(publicKey) !== head.key) throw new Error(`${shard}: the public key is not the one that the head names`);
  const problem = signatureProblem(head, trusted ?? [publicKey]);
  if (problem !== undefined) throw new Error(`${shard}: ${problem}`);
  if (chain !== null && rootOfLeaf(chain) !== head.root) throw new Error(`${shard}: the path does not lead to the root of the signed head`);
  const sums = new Map<string, bigint>();
  for (const [key, text] of found.totals) {
    const [token = '', name = ''] = key.split('/');
    if (key === keyOfChain(token) && chain?.account[2].find(([own]) => own === token)?.[1] !== text)
      throw new Error(`${shard}: the total of ${key} is not that of the signed head`);
    if (USER_BUCKETS.has(name) && (name === 'debt') !== text.startsWith('-'))
      throw new Error(`${shard}: the total of ${key} has the wrong sign`);
    sums.set(token, (sums.get(token) ?? 0n) + BigInt(text));
  }
  for (const [token] of chain?.account[2] ?? [])
    if (!found.totals.some(([key]) => key === keyOfChain(token))) throw new Error(`${shard}: a total of ${token} is missing`);
  for (const [token, sum] of sums) if (sum !== 0n) throw new Error(`${shard}: the totals of ${token} add up to ${sum} instead of 0`);
  return found;
};

const tokenOf = (token: string, held: bigint, shards: readonly Liabilities[]): TokenReserves => {
  const sums = new Map<string, bigint>();
  for (const [key, text] of shards.flatMap((shard) => shard.totals)) {
    if (!key.startsWith(`${token}/`)) continue;
    const name = key.slice(token.length + 1);
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(text));
  }
  const booked = -(sums.get(SYSTEM_CHAIN) ?? 0n);
  sums.delete(SYSTEM_CHAIN);
  const owed = [...sums].map(([name, sum]) => ({ name, amount: sum }));
  const ofUsers = owed.reduce((sum, one) => (USER_BUCKETS.has(one.name) && one.name !== 'debt' ? sum + one.amount : sum), 0n);
  return { token, held, booked, owed, covered: held >= booked && held >= ofUsers };
};

const check = (lines: Iterable<string>, trusted: readonly PublicKey[] | undefined): CheckedReserves => {
  const holdingsHash = createLinesHash();
  const held = new Map<string, bigint>();
  const seen = new Set<string>();
  const safes = new Set<string>();
  const shards: string[] = [];
  let header: z.output<typeof headerSchema> | undefined;
  let signature: z.output<typeof signatureSchema> | undefined;
  for (const line of lines) {
    if (line.length > MAX_LINE || !PLAIN.test(line)) throw new Error('the file holds characters that no proof has');
    if (signature !== undefined) throw new Error('the file goes on after its signature');
    if (header === undefined) {
      header = parse(headerSchema, line);
      for (const [token] of header[4]) held.set(token, 0n);
      holdingsHash.add(line);
    } else if (line.startsWith('["0x') && shards.length === 0) {
      const [safe, token, text] = parse(holdingSchema, line);
      const sum = held.get(token);
      if (sum === undefined || text.startsWith('-') || seen.has(`${safe} ${token}`)) throw new Error(`the balance of ${safe} is not valid`);
      seen.add(`${safe} ${token}`);
      safes.add(safe);
      held.set(token, sum + BigInt(text));
      holdingsHash.add(line);
    } else if (line.startsWith('{')) shards.push(line);
    else signature = parse(signatureSchema, line);
  }
  if (header === undefined || signature === undefined) throw new Error('the file is not complete');
  const [, key, x, text] = signature;
  const publicKey: PublicKey = { kty: 'OKP', crv: 'Ed25519', x };
  if (keyId(publicKey) !== key) throw new Error('the public key is not the one that the signature names');
  if (trusted !== undefined && !trusted.some((one) => keyId(one) === key))
    throw new Error(`the file is signed with the key ${key}, which is not trusted`);
  if (!isSignedBy(publicKey, reservesText(holdingsHash.digest(), shards), text)) throw new Error('the signature does not fit the file');
  // Heads may be signed by earlier keys only where a reader says which keys to trust.
  const liabilities = shards.map((line) => checkLiabilities(line, trusted ?? [publicKey]));
  if (new Set(liabilities.map(({ head }) => head.shard)).size !== liabilities.length) throw new Error('a shard is stated twice');
  const [, chainId, block, blockHash] = header;
  return {
    chainId,
    block,
    blockHash,
    heads: liabilities.map(({ head: { shard, n, at } }) => ({ shard, n, at })),
    key,
    safes: safes.size,
    tokens: [...held].map(([token, sum]) => tokenOf(token, sum, liabilities)),
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
 * Checks a proof of reserves offline: every byte of it is signed; the totals are those of the signed heads; the sums are right. It does not show what the
 * chain says: a node can be asked for each balance at the block that the file names.
 * @param trusted keys that are accepted; undefined accepts the key in the file, whose thumbprint has then to be compared
 * @returns what it shows, or what is wrong with it
 */
export const checkReserves = (text: string, trusted?: readonly PublicKey[]): { reserves: CheckedReserves } | { problem: string } => {
  try {
    return { reserves: check(linesIn(text), trusted) };
  } catch (error) {
    return { problem: error instanceof SyntaxError || !(error instanceof Error) ? 'the file cannot be read' : error.message };
  }
};
