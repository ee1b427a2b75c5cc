import { readFileSync, writeFileSync } from 'node:fs';
import { bucketOf, checkReserves, type TokenReserves } from '@florin/evm/reserves';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { systemRuntime } from '@florin/rpc/runtime';
import { keyId } from '@florin/rpc/signing-key';
import { partsProblem } from '../audit/check-snapshots.ts';
import { lastBlock } from '../audit/verify-shard.ts';
import { checkProof, encodeProof, makeProof } from '../heads/balance-proof.ts';
import { makeSnapshot } from '../heads/make-snapshot.ts';
import { LIMITS, openingOf } from './audit-ledger.ts';
import { CommandError } from './command-error.ts';
import type { OpenLedger } from './open-ledger.ts';
import { readKeptHeads } from './verify.ts';

type Say = (line: string) => void;

/** The newest snapshot whose accounts are those that its signed head states, and those after it, which are broken. */
const newestWhole = async ({ source, snapshots, heads }: OpenLedger, shard: string) => {
  const broken: string[] = [];
  for (let found = await snapshots.newest(shard); found !== undefined; found = await snapshots.newestBefore(shard, found.n)) {
    const head = await heads.findWithRoot(shard, found.n);
    const isStated = head?.root === found.root && head.hash === found.hash;
    const problem = isStated ? await partsProblem(source, found) : 'differs from its signed head';
    if (problem === undefined) return { whole: found, broken };
    broken.push(`the snapshot of block ${shard}:${found.n} ${problem}`);
  }
  return { whole: undefined, broken };
};

/**
 * Makes a snapshot of each shard as of its last block, or of `block`. It continues the newest one that is whole, else begins where the journal does.
 * @throws CommandError HEAD_KEY_REQUIRED, SNAPSHOT_REQUIRED; SNAPSHOT_BROKEN when a stored one was passed over, after the new ones are made; AuditError
 */
export const snapshot = async (ledger: OpenLedger, shards: readonly string[], say: Say, block?: number): Promise<void> => {
  const { signer, trusted, snapshots, source } = ledger;
  if (signer === undefined) throw new CommandError('HEAD_KEY_REQUIRED', 'a snapshot has to be signed: set LEDGER_HEAD_KEY');
  const problems: string[] = [];
  for (const shard of shards) {
    const { whole, broken } = await newestWhole(ledger, shard);
    problems.push(...broken);
    const begin = await openingOf(ledger, shard, trusted);
    if (typeof begin === 'string') throw new CommandError('SNAPSHOT_REQUIRED', begin);
    const opening = whole === undefined ? begin : { place: whole, root: whole.root, accounts: () => snapshots.accounts(shard, whole.n) };
    const end = await lastBlock(source, shard, opening.place.n);
    const last = block ?? end;
    if (last > end || last < opening.place.n)
      throw new CommandError('SNAPSHOT_REQUIRED', `shard ${shard} has no snapshot before block ${last}, or no such block`);
    if (last === whole?.n) {
      say(`ok    shard ${shard}: block ${last} has a snapshot already`);
      continue;
    }
    const { n, accounts, root } = await makeSnapshot({
      ...ledger,
      shard,
      shards: ledger.shards,
      last,
      opening,
      key: signer,
      limits: LIMITS,
    });
    say(`ok    shard ${shard}: snapshot of ${accounts} accounts as of block ${n}, root ${root}`);
  }
  if (problems.length > 0) throw new CommandError('SNAPSHOT_BROKEN', `${problems.join('; ')}: run \`npm run ledger -- verify\``);
};

/** Writes a proof of an account's balances as of the newest snapshot. @throws CommandError */
export const prove = async (ledger: OpenLedger, account: string, path: string, say: Say): Promise<void> => {
  const { shards, snapshots, heads, trusted } = ledger;
  let found = false;
  for (const shard of shards) {
    const newest = await snapshots.newest(shard);
    const head = newest && (await heads.findWithRoot(shard, newest.n));
    const key = trusted.find((one) => keyId(one) === head?.key);
    if (newest === undefined || head === undefined || key === undefined) continue;
    found = true;
    const bucket = bucketOf(account);
    const members = (await snapshots.accountsAround(shard, newest.n, bucket)).lines.filter(([id]) => bucketOf(id) === bucket);
    const proof = makeProof(account, members, await snapshots.roots(shard, newest.n), head, key);
    if (proof === undefined) continue;
    const text = encodeProof(proof);
    const checked = checkProof(text, trusted);
    if ('problem' in checked)
      throw new CommandError('PROOF_INVALID', `the stored snapshot of block ${shard}:${newest.n} is wrong: ${checked.problem}`);
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (cause) {
      throw new CommandError('FILE_EXISTS', `${path} cannot be made: name a new file`, { cause });
    }
    say(`wrote ${path}: account ${account} as of block ${shard}:${newest.n}, ${head.at}`);
    return;
  }
  if (!found) throw new CommandError('SNAPSHOT_REQUIRED', 'no signed snapshot is stored: make one with `npm run ledger -- snapshot`');
  throw new CommandError('ACCOUNT_NOT_FOUND', `account ${account} is not in the newest snapshot`);
};

/** @throws CommandError FILE_NOT_FOUND */
const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CommandError('FILE_NOT_FOUND', `${path} cannot be read`, { cause });
  }
};

/** Checks a proof without a database. @throws CommandError PROOF_INVALID; FILE_NOT_FOUND; FILE_BROKEN */
export const printProof = (path: string, kept: string | undefined, say: Say): void => {
  const text = readText(path);
  const trusted = kept === undefined ? undefined : readKeptHeads(kept).keys;
  const checked = checkProof(text, trusted);
  if ('problem' in checked) throw new CommandError('PROOF_INVALID', `${path} proves nothing: ${checked.problem}`);
  const { account, head } = checked.proof;
  const [id, status, balances] = account;
  say(`account ${id} (${status}) as of block ${head.shard}:${head.n}, ${head.at}`);
  for (const [key, amount] of balances) say(`  ${key} ${amount}`);
  if (balances.length === 0) say('  no balance');
  say(
    `the head is signed with the key ${head.key}${trusted === undefined ? ': compare it with a published one' : ', which the kept heads name'}`,
  );
};

export type ReservesOptions = {
  /** Copy of the published heads. */
  heads?: string | undefined;
  /** Address whose holdings may stand in for what is missing in Safes. */
  treasury?: string | undefined;
  /** Contracts of tokens, each as `EURe=0x…`, beside those of the default assets. */
  tokens?: readonly string[] | undefined;
  /** Symbols of tokens that are owed and are on another chain. */
  elsewhere?: readonly string[] | undefined;
  /** Greatest age of the file, in hours. */
  maxAgeHours?: number;
};

/** Explanations of what is wrong with a token, and what its reader can do. */
const FAULTS: Readonly<Record<NonNullable<TokenReserves['fault']>, (token: TokenReserves) => string>> = {
  'not in the file': ({ token }) => `it is owed, and the file does not name it: if it is on another chain, say --other-chain ${token}`,
  'another contract': ({ token, contract }) => `${contract} is not known as its contract: if it is, say --token ${token}=${contract}`,
  missing: ({ missing, treasury }) => `${missing - treasury} is missing`,
};

/** A proof is made once a day, and takes a while. */
const MAX_AGE_HOURS = 26;

/**
 * Checks a proof of reserves without a database.
 * @returns true if each Safe holds what the ledger owes to its account @throws CommandError PROOF_INVALID; FILE_NOT_FOUND; FILE_BROKEN
 */
export const printReserves = (path: string, options: ReservesOptions, say: Say): boolean => {
  const { heads: kept, treasury, tokens: named = [], elsewhere = [], maxAgeHours = MAX_AGE_HOURS } = options;
  const trusted = kept === undefined ? undefined : readKeptHeads(kept).keys;
  const contractsOf = (chainId: number): Map<string, string> => {
    const published = DEFAULT_ASSETS.tokens.filter((token) => token.chainId === chainId);
    return new Map([
      ...published.map(({ symbol, address = '' }) => [symbol, address] as const),
      ...named.map((token) => token.split('=') as [string, string]).map(([symbol, contract]) => [symbol, contract.toLowerCase()] as const),
    ]);
  };
  const checked = checkReserves(readText(path), {
    trusted,
    treasuries: treasury === undefined ? [] : [treasury.toLowerCase()],
    tokensOf: (chainId) => ({ contracts: contractsOf(chainId), elsewhere: new Set(elsewhere) }),
    now: systemRuntime.now(),
    maxAgeMs: maxAgeHours * 3_600_000,
  });
  if ('problem' in checked) throw new CommandError('PROOF_INVALID', `${path} proves nothing: ${checked.problem}`);
  const { chainId, block, blockHash, at, heads, safes, platforms, treasuries, tokens, key } = checked.reserves;
  say(`chain ${chainId} after block ${block} (${blockHash}), ${safes} Safes, as of ${at}`);
  for (const platform of platforms) say(`second owner of Safes: ${platform}`);
  say('the heads commit to the Safe of each account: each person compares their own, in the app or with checkReserves of the client');
  for (const { shard, n, at: time } of heads) say(`the ledger after block ${shard}:${n}, ${time}`);
  for (const token of tokens) {
    const { fault, held, owed, missing, short, totals } = token;
    say(
      `${fault === undefined ? 'ok  ' : 'FAIL'}  ${token.token}: the Safes hold ${held}, ${owed} is owed, ${missing} is missing in Safes`,
    );
    if (fault !== undefined) say(`        ${FAULTS[fault](token)}`);
    if (token.contract !== undefined) say(`        contract ${token.contract}`);
    if (short.length > 0) say(`        accounts whose Safes hold too little: ${short.join(' ')}`);
    if (token.treasury > 0n) say(`        the treasury holds ${token.treasury}`);
    for (const { name, amount } of totals) say(`        ${name} ${amount}`);
  }
  if (treasuries.length > 0 && treasury === undefined)
    say(`the file also names treasuries; compare one with the set-up of a Safe, and count it with --treasury: ${treasuries.join(' ')}`);
  say(
    `the file is signed with the key ${key}${trusted === undefined ? ': compare it with a published one' : ', which the kept heads name'}`,
  );
  return tokens.every(({ fault }) => fault === undefined);
};
