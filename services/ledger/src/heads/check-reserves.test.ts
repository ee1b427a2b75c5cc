import { hash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Liabilities } from '@florin/evm/reserves';
import {
  bucketOf,
  checkReserves,
  createOwedTree,
  type KnownTokens,
  type Owed,
  RESERVES_FORMAT,
  type ReservesCheck,
  signHead,
} from '@florin/evm/reserves';
import { predictSafeAddress } from '@florin/evm/safe';
import { createSigningKey } from '@florin/rpc/signing-key';
import { waitFor } from '@florin/rpc/testing';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Totals } from '../store/snapshots.ts';
import { changesOf, type Json } from '../testing/changes-of.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { bucketMates, treeOf } from '../testing/proof-trees.ts';
import { runCommand } from '../testing/run-command.ts';
import { codeOf, ledgerEnvironment, newHeadKey, startLedger, type TestLedger } from '../testing/world.ts';
import type { Leaf } from './account-tree.ts';
import { signReserves } from './reserves.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '3600000', LEDGER_SNAPSHOT_MS: '86400000' });
const directory = mkdtempSync(join(tmpdir(), 'florin-reserves-'));
/** It is made by a process of its own, which a busy machine starts slowly. */
const SNAPSHOT_MS = 240_000;
const DAY_MS = 86_400_000;
const AT = '2026-01-02T03:04:05.678Z';
const NOW = new Date(AT);
const TOKENS = [
  ['EURe', `0x${'e0'.repeat(20)}`],
  ['USDC.e', `0x${'dc'.repeat(20)}`],
];
const OWNER: Address = `0x${'aa'.repeat(20)}`;
const PLATFORM: Address = `0x${'bb'.repeat(20)}`;
const linesOf = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const headerOf = (at = AT, tokens: readonly unknown[] = TOKENS) => [RESERVES_FORMAT, 100, 7, `0x${'b1'.repeat(32)}`, at, tokens];
const CONTRACTS = new Map(TOKENS.map(([symbol = '', contract = '']) => [symbol, contract]));
const KNOWN: KnownTokens = { contracts: CONTRACTS, elsewhere: new Set() };
const read = (text: string, options: Partial<ReservesCheck> = {}) =>
  checkReserves(text, { tokensOf: () => KNOWN, now: NOW, maxAgeMs: DAY_MS, ...options });
/** Names the contracts to the command. */
const NAMED = [...CONTRACTS].flatMap(([symbol, contract]) => ['--token', `${symbol}=${contract}`]);

let ledger: TestLedger;
let blocks: { shard: string; block: bigint }[];
/** The owed amounts as the ledger lists them, and whose Safe each account's is. */
let owed: string;
const safes = new Map<string, { safe: string; owner: string }>();

const owedOf = (): Map<string, [string, string][]> =>
  new Map(
    owed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ['owed', string, string, [string, string][]])
      .map(([, , id, amounts]) => [id, amounts]),
  );

/** A proof in which each Safe holds what is owed to its account, but for changes. */
const proofOf = async (
  change: (id: string, amount: bigint, token: string) => bigint = (_id, amount) => amount,
  at = AT,
): Promise<string> => {
  const rows = [...owedOf()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, amounts]) => {
      const { safe = '', owner = '' } = safes.get(id) ?? {};
      return ['safe', id, safe, [owner], amounts.map(([token, amount]) => [token, change(id, BigInt(amount), token).toString()])];
    });
  const lines = linesOf([headerOf(at), ...rows]) + owed;
  const { text } = await ledger.journal.signReserves({ holdingsHash: hash('sha256', lines), blocks, chainId: 100 }, ledger.operator);
  return lines + text;
};

beforeAll(async () => {
  ledger = await startLedger(environment);
  for (const { accountId } of await fillLedger(ledger)) {
    const { account } = await ledger.accounts.getAccount({ key: { case: 'accountId', value: accountId } }, ledger.operator);
    safes.set(accountId, { safe: account?.safeAddress.toLowerCase() ?? '', owner: account?.safeOwnerAddress.toLowerCase() ?? '' });
  }
  ({ blocks } = await ledger.journal.createSnapshot({}, ledger.operator));
  // Other balances by the time the snapshot is made.
  await ledger.fund(await ledger.open(), 'EURe', '1000');
  const page = async (block: (typeof blocks)[number], cursor = ''): Promise<string> => {
    const { text, nextCursor } = await ledger.journal.listLiabilities({ block, cursor }, ledger.operator);
    return nextCursor === '' ? text : text + (await page(block, nextCursor));
  };
  const isMade = async () => {
    const signed = ledger.journal.signReserves({ holdingsHash: 'ab'.repeat(32), blocks, chainId: 100 }, ledger.operator);
    return (await codeOf(signed)) === 'no error' ? true : undefined;
  };
  await waitFor('the snapshot', isMade, SNAPSHOT_MS);
  owed = (await Promise.all(blocks.map((block) => page(block)))).join('');
}, 2 * SNAPSHOT_MS);
afterAll(async () => {
  await ledger.close();
  rmSync(directory, { recursive: true });
});

/** Signs any file with a key of its own: what whoever holds the key can state. */
const forge = ({
  accounts = [randomUUID(), randomUUID()],
  held = ['5', '7'],
  due = held,
  safeOf = (id: string, owners: readonly Address[]): string => predictSafeAddress(id, owners),
  shards = ['0'],
  stated = shards,
  at = AT,
  statedDue = due,
  tokens,
  treasury,
  committed = (id) => predictSafeAddress(id, [OWNER, PLATFORM]).toLowerCase(),
}: {
  accounts?: string[];
  held?: string[];
  due?: string[];
  safeOf?: (id: string, owners: readonly Address[]) => string;
  /** Shards that heads name, and those that are in the file. */
  shards?: string[];
  stated?: string[];
  at?: string;
  /** The owed amounts of the lines, where they differ from the head's. */
  statedDue?: string[];
  /** Tokens and contracts that the file names. */
  tokens?: readonly (readonly string[])[];
  treasury?: [address: string, amount: string];
  /** The Safe of an account that the head commits to. */
  committed?: (id: string) => string;
} = {}): string => {
  const key = createSigningKey(JSON.parse(newHeadKey()) as Parameters<typeof createSigningKey>[0]);
  const owner = OWNER;
  const order = (rows: Owed[]): Owed[] => rows.sort(([a], [b]) => bucketOf(a) - bucketOf(b) || (a < b ? -1 : 1));
  const owedRows = (amounts: string[]): Owed[] =>
    order(accounts.map((id, index): Owed => [id, [['EURe', amounts[index] ?? '0']], committed(id)]));
  const isNamed = (tokens ?? TOKENS).some(([token]) => token === 'EURe');
  const rows = (isNamed ? accounts : [])
    .map((id, index) => ['safe', id, safeOf(id, [owner, PLATFORM]).toLowerCase(), [owner, PLATFORM], [['EURe', held[index]]]] as const)
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const heads = shards
    .map((shard) => {
      const tree = createOwedTree();
      if (shard === '0') for (const one of owedRows(due)) tree.add(one);
      const sum = shard === '0' ? due.reduce((all, one) => all + BigInt(one), 0n) : 0n;
      const chain: Leaf[] = sum === 0n ? [] : [['chain', 'system', [['EURe', `${-sum}`]], []]];
      const { proveLeaf, head } = treeOf(chain);
      const { root = '' } = head;
      const content = { shard, n: 1, hash: 'ab'.repeat(32), at: AT, root, owed: tree.root(), shards };
      const totals: Totals =
        sum === 0n
          ? []
          : [
              ['EURe/available', `${sum}`],
              ['EURe/system/chain', `${-sum}`],
            ];
      return { head: signHead(key, content), publicKey: key.publicKey, totals, chain: sum === 0n ? null : proveLeaf('chain') };
    })
    .filter(({ head }) => stated.includes(head.shard));
  const lines = linesOf([
    headerOf(at, tokens),
    ...rows,
    ...(treasury === undefined ? [] : [['treasury', treasury[0], [['EURe', treasury[1]]]]]),
    ...(stated.includes('0') ? owedRows(statedDue).map((one) => ['owed', '0', ...one]) : []),
  ]);
  return lines + signReserves(key, hash('sha256', lines), heads);
};

describe('a proof of reserves that cheats, signed with the right key', () => {
  it('is accepted without the cheat', () => {
    expect(read(forge())).toMatchObject({
      reserves: { platforms: [PLATFORM], tokens: [{ token: 'EURe', held: 12n, owed: 12n, missing: 0n, fault: undefined }, {}] },
    });
    expect(read(forge({ shards: ['0', '1'] }))).toHaveProperty('reserves');
  });

  it('is rejected when it lists an address that is not the Safe of an account and its owners', () => {
    const wallet = `0x${'ec'.repeat(20)}`;
    expect(read(forge({ safeOf: () => wallet }))).toEqual({ problem: expect.stringContaining('another address than follows') });
    // The Safe of another account.
    const other = predictSafeAddress(randomUUID(), [`0x${'aa'.repeat(20)}`, PLATFORM]);
    expect(read(forge({ accounts: [randomUUID()], held: ['5'], safeOf: () => other }))).toHaveProperty('problem');
  });

  it('is rejected when it lists a Safe of other owners than the head commits to, whose line its person is shown', () => {
    const accounts = [randomUUID(), randomUUID()];
    const thief: Address = `0x${'ec'.repeat(20)}`;
    const committed = (id: string) => predictSafeAddress(id, [id === accounts[0] ? thief : OWNER, PLATFORM]).toLowerCase();
    expect(read(forge({ accounts, committed }))).toEqual({
      problem: `the Safe of account ${accounts[0]} is not the one that the signed head states`,
    });
    // Nor is that of an account that the ledger does not know.
    expect(read(forge({ committed: () => '' }))).toHaveProperty('problem');
  });

  it('is rejected when it leaves a shard out, whichever', () => {
    expect(read(forge({ shards: ['0', '1'], stated: ['0'] }))).toEqual({ problem: expect.stringContaining('shard 1') });
    expect(read(forge({ shards: ['0', '1'], stated: ['1'] }))).toEqual({ problem: expect.stringContaining('shard 0') });
  });

  it('shows what is missing in one Safe, whatever others hold beyond theirs', () => {
    const accounts = [randomUUID(), randomUUID()];
    const text = forge({ accounts, held: ['1', '100'], due: ['5', '7'] });
    expect(read(text)).toMatchObject({
      reserves: { tokens: [{ held: 101n, owed: 12n, missing: 4n, short: [accounts[0]], fault: 'missing' }, {}] },
    });
    // A treasury counts only for a reader who trusts it.
    const treasury = `0x${'7e'.repeat(20)}`;
    const stood = forge({ accounts, held: ['1', '100'], due: ['5', '7'], treasury: [treasury, '4'] });
    expect(read(stood)).toMatchObject({ reserves: { treasuries: [treasury], tokens: [{ fault: 'missing' }, {}] } });
    expect(read(stood, { treasuries: [treasury] })).toMatchObject({ reserves: { tokens: [{ treasury: 4n, fault: undefined }, {}] } });
    const short = forge({ accounts, held: ['1', '100'], due: ['5', '7'], treasury: [treasury, '3'] });
    expect(read(short, { treasuries: [treasury] })).toMatchObject({ reserves: { tokens: [{ fault: 'missing' }, {}] } });
  });

  it('fails when it leaves out a token that is owed, unless the reader knows that it is on another chain', () => {
    const text = forge({ tokens: TOKENS.slice(1) });
    expect(read(text)).toMatchObject({
      reserves: {
        tokens: [
          { token: 'USDC.e', fault: undefined },
          { token: 'EURe', contract: undefined, owed: 12n, fault: 'not in the file' },
        ],
      },
    });
    const elsewhere = new Set(['EURe']);
    expect(read(text, { tokensOf: () => ({ ...KNOWN, elsewhere }) })).toMatchObject({ reserves: { tokens: [{ token: 'USDC.e' }] } });
    expect(read(text)).not.toHaveProperty('reserves.tokens.2');
  });

  it('fails when it names a contract that its reader does not know, worthless or of another chain', () => {
    const worthless = `0x${'00'.repeat(19)}01`;
    expect(read(forge({ tokens: [['EURe', worthless]] }))).toMatchObject({
      reserves: { tokens: [{ token: 'EURe', contract: worthless, missing: 0n, fault: 'another contract' }] },
    });
    const tokensOf = (chainId: number): KnownTokens => ({ ...KNOWN, contracts: chainId === 1 ? CONTRACTS : new Map() });
    expect(read(forge(), { tokensOf })).toMatchObject({ reserves: { tokens: [{ fault: 'another contract' }, {}] } });
    expect(read(forge({ tokens: [...TOKENS, ...TOKENS] }))).toEqual({ problem: 'a token is named twice' });
  });

  it('is rejected when what it lists as owed is not what the head states', () => {
    expect(read(forge({ held: ['4', '7'], due: ['5', '7'], statedDue: ['4', '7'] }))).toEqual({
      problem: expect.stringContaining('not what the signed head states'),
    });
  });

  it('is rejected when it is old, or of a time to come', () => {
    const now = (ms: number) => ({ now: new Date(NOW.getTime() + ms) });
    expect(read(forge(), now(DAY_MS))).toHaveProperty('reserves');
    expect(read(forge(), now(DAY_MS + 1))).toEqual({ problem: expect.stringContaining('older than 24 hours') });
    expect(read(forge(), now(-DAY_MS))).toHaveProperty('problem');
  });
});

describe('a proof of reserves', { timeout: 240_000 }, () => {
  it('shows what is owed to each account after the block that was asked for, and whether its Safe holds it', async () => {
    const checked = read(await proofOf());
    expect(checked).toMatchObject({
      reserves: {
        chainId: 100,
        block: 7,
        safes: owedOf().size,
        at: AT,
        tokens: [{ token: 'EURe', missing: 0n, fault: undefined }, { fault: undefined }],
      },
    });
    const [eure] = 'reserves' in checked ? checked.reserves.tokens : [];
    // Six deposits of 100, and one of 3 that screening rejected.
    expect(eure?.booked).toBe(603n);
    expect(eure?.owed).toBe(eure?.held);
    expect(eure?.totals.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['available', 'held', 'outgoing', 'debt', 'system/settlement']),
    );
    const [someone = ''] = owedOf().keys();
    expect(read(await proofOf((id, amount, token) => (id === someone && token === 'EURe' ? amount - 1n : amount + 10n)))).toMatchObject({
      reserves: { tokens: [{ missing: 1n, short: [someone], fault: 'missing' }, { fault: undefined }] },
    });
  });

  it('is rejected with any byte changed, removed or added', async () => {
    const text = await proofOf();
    // A prime: every kind of line, at different places.
    for (let at = 0; at < text.length; at += 23) {
      const byte = text[at] === '0' ? '1' : '0';
      expect(read(`${text.slice(0, at)}${byte}${text.slice(at + 1)}`), `byte ${at}`).toHaveProperty('problem');
      expect(read(text.slice(0, at) + text.slice(at + 1))).toHaveProperty('problem');
    }
    expect(read(`${text}\n`)).toHaveProperty('problem');
    expect(read('')).toHaveProperty('problem');
  });

  it('is rejected with any value of the account `chain` changed, whoever signed it, wherever it stands in its bucket', () => {
    const totals: Totals = [
      ['EURe/debt', '-5'],
      ['EURe/system/chain', '5'],
    ];
    const lines = linesOf([headerOf()]);
    for (let size = 1; size <= 5; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const ids = bucketMates('chain', index, size - index - 1);
        const { key, head, proveLeaf } = treeOf(ids.map((id): Leaf => [id, 'system', [['EURe', '5']], []]));
        const { shard, n, at, root = '' } = head;
        const owedHead = signHead(key, { shard, n, hash: head.hash, at, root, owed: createOwedTree().root(), shards: ['0'] });
        const sign = (chain: Json) => {
          const liabilities = { head: owedHead, publicKey: key.publicKey, totals, chain: chain as Liabilities['chain'] };
          return lines + signReserves(key, hash('sha256', lines), [liabilities]);
        };
        const chain = proveLeaf('chain') as unknown as Json;
        expect(read(sign(chain))).toHaveProperty('reserves');
        for (const changed of changesOf(chain)) expect(read(sign(changed)), JSON.stringify(changed)).toHaveProperty('problem');
      }
    }
  });

  it('is checked by a command, with the exit code 1 when money is missing', async () => {
    const now = new Date().toISOString();
    const [whole, short, broken, old] = ['whole', 'short', 'broken', 'old'].map((name) => join(directory, name));
    writeFileSync(whole ?? '', await proofOf(undefined, now));
    writeFileSync(short ?? '', await proofOf(() => 1n, now));
    writeFileSync(broken ?? '', (await proofOf(undefined, now)).replace('"EURe"', '"EURx"'));
    writeFileSync(old ?? '', await proofOf(undefined, '2020-01-01T00:00:00.000Z'));
    const check = (...args: string[]) => runCommand({}, 'check-reserves', ...args);
    expect(await check(...NAMED, whole ?? '')).toMatchObject({ code: 0, output: expect.stringContaining('ok    EURe') });
    expect(await check(...NAMED, short ?? '')).toMatchObject({ code: 1, output: expect.stringContaining('FAIL  EURe') });
    // On this chain, the token of this symbol has another contract.
    const [, [, contract = ''] = []] = [...CONTRACTS].reverse();
    const unknown = await check(whole ?? '');
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining(`        ${contract} is not known as its contract`) });
    expect(await check('--token', 'EURe', whole ?? '')).toMatchObject({ code: 2 });
    for (const file of [broken, old])
      expect(await check(...NAMED, file ?? '')).toMatchObject({
        code: 1,
        output: expect.stringContaining('PROOF_INVALID'),
      });
    expect(await check(...NAMED, '--max-age', '999999', old ?? '')).toMatchObject({ code: 0 });
    const { x } = JSON.parse(newHeadKey()) as { x: string };
    expect(read(await proofOf(), { trusted: [{ kty: 'OKP', crv: 'Ed25519', x }] })).toHaveProperty('problem');
  });

  it('is not signed as of a block without a snapshot, without the scope, or without a key', async () => {
    const other = blocks.map(({ shard, block }) => ({ shard, block: block + 1000n }));
    const holdingsHash = 'ab'.repeat(32);
    expect(await codeOf(ledger.journal.signReserves({ holdingsHash, blocks: other, chainId: 100 }, ledger.operator))).toBe(
      'SNAPSHOT_NOT_FOUND',
    );
    expect(await codeOf(ledger.journal.signReserves({ holdingsHash: 'ab', blocks, chainId: 100 }, ledger.operator))).toBe(
      'VALIDATION_FAILED',
    );
    const stranger = ledger.as(await ledger.authority.serviceToken('stranger', 'ledger', []));
    expect(await codeOf(ledger.journal.createSnapshot({}, stranger))).toBe('FORBIDDEN');
    const without = await startLedger(ledgerEnvironment({ LEDGER_HEAD_KEY: '' }));
    expect(await codeOf(without.journal.createSnapshot({}, without.operator))).toBe('RESERVES_NOT_AVAILABLE');
    expect(await codeOf(without.journal.signReserves({ holdingsHash, blocks, chainId: 100 }, without.operator))).toBe(
      'RESERVES_NOT_AVAILABLE',
    );
    await without.close();
  });
});
