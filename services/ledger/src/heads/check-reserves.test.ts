import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Totals } from '../store/snapshots.ts';
import { changesOf, type Json } from '../testing/changes-of.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { bucketMates, treeOf } from '../testing/proof-trees.ts';
import { runCommand } from '../testing/run-command.ts';
import { codeOf, ledgerEnvironment, newHeadKey, startLedger, type TestLedger } from '../testing/world.ts';
import type { Leaf } from './account-tree.ts';
import { checkReserves } from './check-reserves.ts';
import { type Liabilities, signReserves } from './reserves.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '3600000', LEDGER_SNAPSHOT_MS: '86400000' });
const directory = mkdtempSync(join(tmpdir(), 'florin-reserves-'));
/** It is made by a process of its own, which a busy machine starts slowly. */
const SNAPSHOT_MS = 240_000;
const SAFE = `0x${'5a'.repeat(20)}`;

let ledger: TestLedger;
let blocks: { shard: string; block: bigint }[];
/** In EURe; some accounts owe, and some money was spent. */
let booked = 0n;

/** A proof whose Safes hold an amount of EURe together. */
const proofOf = async (amounts: readonly bigint[]): Promise<string> => {
  const header = ['florin-reserves-1', 100, 7, `0x${'b1'.repeat(32)}`, [['EURe', `0x${'e0'.repeat(20)}`]]];
  const rows = amounts.map((amount, index) => [`0x${String(index + 10).repeat(20)}`, 'EURe', `${amount}`]);
  const holdings = [header, ...rows].map((line) => `${JSON.stringify(line)}\n`).join('');
  const { text } = await ledger.journal.signReserves({ holdingsHash: hash('sha256', holdings), blocks }, ledger.operator);
  return holdings + text;
};

beforeAll(async () => {
  ledger = await startLedger(environment);
  await fillLedger(ledger);
  ({ blocks } = await ledger.journal.createSnapshot({}, ledger.operator));
  // Other balances by the time the snapshot is made.
  await ledger.fund(await ledger.open(), 'EURe', '1000');
  const isMade = async () => {
    const signed = ledger.journal.signReserves({ holdingsHash: 'ab'.repeat(32), blocks }, ledger.operator);
    return (await codeOf(signed)) === 'no error' ? true : undefined;
  };
  await waitFor('the snapshot', isMade, SNAPSHOT_MS);
  // Six deposits of 100, and one of 3 that screening rejected.
  booked = 603n;
}, 2 * SNAPSHOT_MS);
afterAll(async () => {
  await ledger.close();
  rmSync(directory, { recursive: true });
});

describe('a proof of reserves', { timeout: 240_000 }, () => {
  it('shows what is owed after the block that was asked for, and whether the Safes hold it', async () => {
    const checked = checkReserves(await proofOf([booked - 200n, 200n]));
    expect(checked).toMatchObject({
      reserves: { chainId: 100, block: 7, safes: 2, tokens: [{ token: 'EURe', held: booked, booked, covered: true }] },
    });
    const [eure] = 'reserves' in checked ? checked.reserves.tokens : [];
    expect(eure?.owed.reduce((sum, { amount }) => sum + amount, 0n)).toBe(booked);
    expect(eure?.owed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['available', 'held', 'outgoing', 'debt', 'system/settlement']),
    );
    expect(checkReserves(await proofOf([booked - 1n]))).toMatchObject({ reserves: { tokens: [{ covered: false }] } });
  });

  it('is rejected with any byte changed, removed or added', async () => {
    const text = await proofOf([500n, 200n]);
    for (let at = 0; at < text.length; at += 1) {
      for (const byte of ['0', '1', 'a', ' ', '\n', '"']) {
        if (text[at] === byte) continue;
        expect(checkReserves(`${text.slice(0, at)}${byte}${text.slice(at + 1)}`), `byte ${at} as ${byte}`).toHaveProperty('problem');
      }
      expect(checkReserves(text.slice(0, at) + text.slice(at + 1))).toHaveProperty('problem');
    }
    expect(checkReserves(`${text}\n`)).toHaveProperty('problem');
    expect(checkReserves('')).toHaveProperty('problem');
  });

  it('is rejected with any value of the account `chain` changed, whoever signed it, wherever it stands in its bucket', () => {
    const totals: Totals = [
      ['EURe/available', '5'],
      ['EURe/system/chain', '-5'],
    ];
    const header = JSON.stringify(['florin-reserves-1', 100, 7, `0x${'b1'.repeat(32)}`, [['EURe', `0x${'e0'.repeat(20)}`]]]);
    const holdings = `${header}\n${JSON.stringify([SAFE, 'EURe', '5'])}\n`;
    for (let size = 1; size <= 5; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const ids = bucketMates('chain', index, size - index - 1);
        const { key, head, proveLeaf } = treeOf(ids.map((id): Leaf => [id, 'system', [['EURe', '-5']], []]));
        const sign = (chain: Json) => {
          const liabilities = { head, publicKey: key.publicKey, totals, chain: chain as Liabilities['chain'] };
          return holdings + signReserves(key, hash('sha256', holdings), [liabilities]);
        };
        const chain = proveLeaf('chain') as unknown as Json;
        expect(checkReserves(sign(chain))).toMatchObject({ reserves: { tokens: [{ held: 5n, booked: 5n, covered: true }] } });
        for (const changed of changesOf(chain)) expect(checkReserves(sign(changed)), JSON.stringify(changed)).toHaveProperty('problem');
      }
    }
  });

  it('is rejected when a Safe is counted twice, whoever signed it', async () => {
    const header = JSON.stringify(['florin-reserves-1', 100, 7, `0x${'b1'.repeat(32)}`, [['EURe', `0x${'e0'.repeat(20)}`]]]);
    const row = JSON.stringify([SAFE, 'EURe', '5']);
    for (const lines of [[row, row], [JSON.stringify([SAFE, 'EURe', '-5'])], [JSON.stringify([SAFE, 'GBPe', '5'])]]) {
      const holdings = [header, ...lines].map((line) => `${line}\n`).join('');
      const { text } = await ledger.journal.signReserves({ holdingsHash: hash('sha256', holdings), blocks }, ledger.operator);
      expect(checkReserves(holdings + text)).toHaveProperty('problem');
    }
  });

  it('is checked by a command, with the exit code 1 when money is missing', async () => {
    const [whole, short, broken] = ['whole', 'short', 'broken'].map((name) => join(directory, name));
    writeFileSync(whole ?? '', await proofOf([booked]));
    writeFileSync(short ?? '', await proofOf([1n]));
    writeFileSync(broken ?? '', (await proofOf([booked])).replace('"EURe"', '"EURx"'));
    expect(await runCommand({}, 'check-reserves', whole ?? '')).toMatchObject({ code: 0, output: expect.stringContaining('ok    EURe') });
    expect(await runCommand({}, 'check-reserves', short ?? '')).toMatchObject({ code: 1, output: expect.stringContaining('FAIL  EURe') });
    expect(await runCommand({}, 'check-reserves', broken ?? '')).toMatchObject({
      code: 1,
      output: expect.stringContaining('PROOF_INVALID'),
    });
    const { x } = JSON.parse(newHeadKey()) as { x: string };
    expect(checkReserves(await proofOf([booked]), [{ kty: 'OKP', crv: 'Ed25519', x }])).toHaveProperty('problem');
  });

  it('is not signed as of a block without a snapshot, without the scope, or without a key', async () => {
    const other = blocks.map(({ shard, block }) => ({ shard, block: block + 1000n }));
    const holdingsHash = 'ab'.repeat(32);
    expect(await codeOf(ledger.journal.signReserves({ holdingsHash, blocks: other }, ledger.operator))).toBe('SNAPSHOT_NOT_FOUND');
    expect(await codeOf(ledger.journal.signReserves({ holdingsHash: 'ab', blocks }, ledger.operator))).toBe('VALIDATION_FAILED');
    const stranger = ledger.as(await ledger.authority.serviceToken('stranger', 'ledger', []));
    expect(await codeOf(ledger.journal.createSnapshot({}, stranger))).toBe('FORBIDDEN');
    const without = await startLedger(ledgerEnvironment({ LEDGER_HEAD_KEY: '' }));
    expect(await codeOf(without.journal.createSnapshot({}, without.operator))).toBe('RESERVES_NOT_AVAILABLE');
    expect(await codeOf(without.journal.signReserves({ holdingsHash, blocks }, without.operator))).toBe('RESERVES_NOT_AVAILABLE');
    await without.close();
  });
});
