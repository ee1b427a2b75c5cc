import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Evm, itOnEvm, startEvm } from '@florin/evm/local-chain';
import { signableOf } from '@florin/evm/testing';
import { Decision } from '@florin/proto/threeds/v1/challenge';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { checkReceipt } from './receipts/check-receipt.ts';
import { ReceiptError } from './receipts/read-receipt.ts';
import { signAsSafe } from './testing/safe-signatures.ts';
import { CHAIN_ID, createWorld, type Instance, type World } from './testing/world.ts';

let directory: string;
let evm: Evm;
let other: Evm;
let world: World;
let app: Instance;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-receipt-'));
  if (inject('evm')) [evm, other] = await Promise.all([startEvm(CHAIN_ID), startEvm(1)]);
  world = await createWorld({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm?.url }) });
  app = await world.start();
});
afterAll(async () => {
  await world?.close();
  await Promise.all([evm?.close(), other?.close(), rm(directory, { recursive: true })]);
});

const run = (...args: string[]): Promise<{ code: number | null; lines: string[] }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'verify-receipt.ts'), ...args]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, lines: output.trimEnd().split('\n') }));
  });

const fileOf = async (name: string, text: string): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
};

describe('npm run verify-receipt', () => {
  it('prints the findings of a wallet’s receipt and exits with 0', async () => {
    const { person, id, user } = await world.raise(app);
    await user.decide(id, Decision.DECLINE, person.wallet);
    const text = await app.receiptJson(id);
    const { code, lines } = await run(await fileOf('wallet.json', text));
    expect(code).toBe(0);
    expect(lines).toContain('ok    signed text: DECLINE this card payment');
    expect(lines.at(-1)).toBe('verified');
    const changed = await run(await fileOf('changed.json', text.replace('"1999"', '"1998"')));
    expect(changed.code).toBe(1);
    expect(changed.lines.at(-1)).toBe('FAIL  the signed text does not contain the line "Amount: 19.98 EUR"');
  });

  itOnEvm('calls the Safe at the recorded block with --rpc, and reports an open fact without', async () => {
    const [owner, successor] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
    const safe = await evm.deploySafe([owner.address]);
    const person = world.newPerson(safe);
    const { id } = await app.acs.create(world.payment(person));
    const user = app.user(person);
    const data = signableOf(await user.issue(id, Decision.APPROVE));
    await user.submit(id, Decision.APPROVE, await signAsSafe(safe, [owner], data));
    // Later changes on the chain do not affect the recorded block.
    await evm.swapOwner(safe, owner, successor.address);
    const text = await app.receiptJson(id);
    const file = await fileOf('safe.json', text);

    const offline = await run(file);
    expect([offline.code, offline.lines.at(-1)]).toEqual([0, 'verified except for open facts']);
    expect(offline.lines.at(-2)).toMatch(/^open {2}whether Safe 0x\w{40} at block \d+ of chain 100 accepted the signature: pass --rpc URL/);

    // Everything else is verified offline.
    const bytes = Buffer.from(text);
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
      await expect(Array.fromAsync(checkReceipt(flipped.toString())), `byte ${index}`).rejects.toThrow(ReceiptError);
    }

    const asked = await run(file, '--rpc', evm.url);
    expect([asked.code, asked.lines.at(-1)]).toEqual([0, 'verified']);
    expect(asked.lines.at(-2)).toMatch(/accepts the signature \(EIP-1271\)$/);

    expect((await run(file, '--rpc', other.url)).lines.at(-1)).toMatch(/^FAIL .* chain 1$/);
    expect(await run(file, '--rpc', 'http://127.0.0.1:1')).toMatchObject({ code: 1 });
  });

  itOnEvm('rejects a receipt with a block at which the Safe did not accept the signature', async () => {
    const [first, second] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
    const safe = await evm.deploySafe([first.address]);
    const before = await evm.blockNumber();
    await evm.swapOwner(safe, first, second.address);
    const person = world.newPerson(safe);
    const { id } = await app.acs.create(world.payment(person));
    const user = app.user(person);
    const data = signableOf(await user.issue(id, Decision.APPROVE));
    await user.submit(id, Decision.APPROVE, await signAsSafe(safe, [second], data));
    await world.changeReceipt(id, { blockNumber: before });
    const { code, lines } = await run(await fileOf('block.json', await app.receiptJson(id)), '--rpc', evm.url);
    expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^FAIL {2}Safe .* does not accept the signature$/)]);
  });

  it.each([
    ['no file', []],
    ['a missing file', ['missing.json']],
    ['two files', ['a', 'b']],
    ['an unknown option', ['--url', 'x']],
  ])('fails with %s', async (_name, args) => {
    expect((await run(...args)).code).toBe(1);
  });
});
