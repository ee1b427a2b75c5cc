import { generateKeyPairSync, hash } from 'node:crypto';
import { createOwedTree, RESERVES_FORMAT, reservesText, signHead } from '@florin/evm/reserves';
import { predictSafeAddress } from '@florin/evm/safe';
import { DEFAULT_ASSETS, findToken } from '@florin/rpc/assets';
import { createSigningKey } from '@florin/rpc/signing-key';

const OWNER: `0x${string}` = `0x${'0a'.repeat(20)}`;
export const TREASURY = `0x${'03'.repeat(20)}`;

/** EURe of a proof, in its smallest unit. */
export type Proven = {
  accountId: string;
  held: string;
  owed: string;
  treasury: string;
  /** Balances of the ledger by bucket, and of system accounts; they add up to zero. */
  totals: readonly (readonly [name: string, amount: string])[];
  at: string;
  contract?: string;
};

const jsonLines = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** The signed proof of reserves of a ledger with one account on Gnosis Chain. */
export const proofOfReserves = ({ accountId, held, owed, treasury, totals, at, contract }: Proven): string => {
  const key = createSigningKey(
    generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Parameters<typeof createSigningKey>[0],
  );
  const tree = createOwedTree();
  const [bytes, safe] = ['ab'.repeat(32), predictSafeAddress(accountId, [OWNER]).toLowerCase()];
  tree.add([accountId, [['EURe', owed]], safe]);
  const head = signHead(key, { shard: '0', n: 1, hash: bytes, at, root: bytes, owed: tree.root(), shards: ['0'] });
  const { kty, crv, x } = key.publicKey;
  const lines = jsonLines([
    [RESERVES_FORMAT, 100, 7, `0x${bytes}`, at, [['EURe', contract ?? findToken(DEFAULT_ASSETS, 'EURe')?.address]]],
    ['safe', accountId, safe, [OWNER], [['EURe', held]]],
    ['treasury', TREASURY, [['EURe', treasury]]],
    ['owed', '0', accountId, [['EURe', owed]], safe],
  ]);
  const liabilities = JSON.stringify({
    head,
    publicKey: { kty, crv, x },
    totals: totals.map(([name, sum]) => [`EURe/${name}`, sum]),
    chain: null,
  });
  const signature = key.sign(reservesText(hash('sha256', lines), [liabilities]));
  return `${lines}${liabilities}\n${jsonLines([['signature', key.id, x, signature]])}`;
};
