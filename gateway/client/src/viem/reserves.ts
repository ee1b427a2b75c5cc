import { encodeText, fromBase64url } from '../base64url.ts';
import type { Client } from '../create-client.ts';
import { safeOf } from './safe-addresses.ts';

/** An amount of a token, in its smallest unit. */
type Amounts = readonly { token: string; amount: string }[];

/** The account in the newest proof of reserves, checked. */
export type OwnReserves = {
  /** When the proof was made, ISO 8601. */
  at: string;
  /** Block of the chain as of which the Safe is shown: any node says what it held then. */
  block: number;
  safeAddress: string;
  held: Amounts;
  /** The debt that the platform states: compare it with what you know. */
  owed: Amounts;
  /** Amounts that the Safe lacks; empty when everything is there. */
  missing: Amounts;
  /** Thumbprint of the key that signed; compare it with one that you know. */
  key: string;
};

/** The proof does not show what it states: something of it was changed, or it is about another Safe. */
export class ReservesError extends Error {
  override readonly name = 'ReservesError';
}

const BUCKET_LEVELS = 12;

/** Bucket of an account in the tree of a head: FNV-1a (32 bit) with the finalizer of MurmurHash3, its highest 12 bits. */
const bucketOf = (accountId: string): number => {
  let h = 0x811c9dc5;
  for (let index = 0; index < accountId.length; index += 1) h = Math.imul(h ^ accountId.charCodeAt(index), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) >>> (32 - BUCKET_LEVELS);
};

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256 = async (...parts: readonly Uint8Array[]): Promise<string> => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return hexOf(await crypto.subtle.digest('SHA-256', all));
};

const node = (left: string, right: string): Promise<string> => sha256(Uint8Array.of(1), bytesOf(left), bytesOf(right));

type Line = { accountId: string; safeAddress: string; owed: Amounts; accountPath: readonly string[]; bucketPath: readonly string[] };

/** The root that what is owed to an account, and the way up from there, lead to (RFC 9162, section 2.1.3). */
const rootOf = async ({ accountId, safeAddress, owed, accountPath, bucketPath }: Line): Promise<string> => {
  const leaf = JSON.stringify(['owed', accountId, owed.map(({ token, amount }) => [token, amount]), safeAddress.toLowerCase()]);
  let root = await sha256(Uint8Array.of(0), encodeText(leaf));
  for (const step of accountPath) {
    const [side, sibling = ''] = step.split(':');
    root = side === 'left' ? await node(sibling, root) : await node(root, sibling);
  }
  if (bucketPath.length !== BUCKET_LEVELS) throw new ReservesError('the way to the root is not complete');
  const bucket = bucketOf(accountId);
  for (const [level, sibling] of bucketPath.entries())
    root = ((bucket >> level) & 1) === 1 ? await node(sibling, root) : await node(root, sibling);
  return root;
};

type Head = Awaited<ReturnType<Client['userAccount']['getAccountReserves']>>['head'];

/** True if the key signed the head (`Head` of `florin.ledger.v1`). */
const isSigned = async ({ shard, block, hash, time, root, owed, shards, key, signature }: Head, x: string): Promise<boolean> => {
  const text = JSON.stringify(['florin-head-2', shard, block, hash, time, root ?? '', owed ?? '', shards, key]);
  const thumbprint = await crypto.subtle.digest('SHA-256', encodeText(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })));
  if (hexOf(thumbprint) !== hexOf(fromBase64url(key).buffer)) return false;
  const imported = await crypto.subtle.importKey('raw', fromBase64url(x), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, fromBase64url(signature), encodeText(text));
};

type KnownAccount = { accountId: string; safeAddress: string };

const currentAccount = async ({ userAccount }: Pick<Client, 'userAccount'>): Promise<KnownAccount> => {
  const { id, safeAddress } = await userAccount.getAccount();
  return { accountId: id, safeAddress };
};

/**
 * Reads the line of one of the caller's accounts in the newest proof of reserves, and checks it: the Safe is that of the account and the wallet, and what it must
 * hold is in the signed head, with which everybody checks the whole proof.
 * @param owner the wallet that the account's Safe was made for, also after a recovery has exchanged it
 * @param former a former account, as `listMoves` returns it; default: the current account
 * @throws ReservesError when the proof does not show what it states; FlorinError `RESERVES_NOT_FOUND` without a proof
 */
export const checkReserves = async (
  client: Pick<Client, 'userAccount' | 'ledger'>,
  owner: string,
  former?: KnownAccount,
): Promise<OwnReserves> => {
  const found = await client.userAccount.getAccountReserves(former && { accountId: former.accountId });
  const { accountId, createdAt, block, safeAddress, owners, held, owed, head, publicKey } = found;
  const expected = former ?? (await currentAccount(client));
  if (expected.accountId !== accountId || expected.safeAddress.toLowerCase() !== safeAddress.toLowerCase())
    throw new ReservesError('the proof is about another account');
  const isOwn = owners[0] === owner.toLowerCase() && safeOf(accountId, owners) === safeAddress.toLowerCase();
  if (held.length > 0 && !isOwn) throw new ReservesError('the Safe does not follow from the account and its owner');
  if (!(await isSigned(head, publicKey.x))) throw new ReservesError('the signature does not fit the head');
  const { keys } = await client.ledger.listLedgerHeads();
  if (!keys.some(({ kid }) => kid === head.key)) throw new ReservesError('the head is signed with a key that is not published');
  if (owed.length > 0 && (await rootOf(found)) !== head.owed)
    throw new ReservesError('what is owed to this Safe is not in the signed head');
  const holds = new Map(held.map(({ token, amount }) => [token, BigInt(amount)]));
  const missing = owed.flatMap(({ token, amount }) => {
    const lack = BigInt(amount) - (holds.get(token) ?? 0n);
    return lack > 0n ? [{ token, amount: lack.toString() }] : [];
  });
  return { at: createdAt, block, safeAddress, held, owed, missing, key: head.key };
};
