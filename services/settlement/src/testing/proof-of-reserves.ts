import { generateKeyPairSync, hash } from 'node:crypto';
import { createOwedTree, RESERVES_FORMAT, reservesText, signHead } from '@florin/evm/reserves';
import { predictSafeAddress } from '@florin/evm/safe';
import { DEFAULT_ASSETS, findToken } from '@florin/rpc/assets';
import { createSigningKey } from '@florin/rpc/signing-key';

const OWNER: `0x${string}` = `0x${'0a'.repeat(20)}`;
export const TREASURY = `0x${'03'.repeat(20)}`;

/** One token of a proof, in its smallest unit. */
export type Proven = {
  accountId: string;
  held: string;
  owed: string;
  treasury: string;
  /** Balances of the ledger by bucket, and of system accounts; they add up to zero. */
  totals: readonly (readonly [name: string, amount: string])[];
  at: string;
  contract?: string;
  /** EURe on Gnosis Chain, unless a test says otherwise. */
  token?: string;
  chainId?: number;
};

const jsonLines = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** The signed proof of reserves of a ledger with one account. */
export const proofOfReserves = ({
  accountId,
  held,
  owed,
  treasury,
  totals,
  at,
  contract,
  token = 'EURe',
  chainId = 100,
}: Proven): string => {
  const key = createSigningKey(
    generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Parameters<typeof createSigningKey>[0],
  );
  const tree = createOwedTree();
  const [bytes, safe] = ['ab'.repeat(32), predictSafeAddress(accountId, [OWNER]).toLowerCase()];
  tree.add([accountId, [[token, owed]], safe]);
  const head = signHead(key, { shard: '0', n: 1, hash: bytes, at, root: bytes, owed: tree.root(), shards: ['0'] });
  const { kty, crv, x } = key.publicKey;
  const lines = jsonLines([
    [RESERVES_FORMAT, chainId, 7, `0x${bytes}`, at, [[token, contract ?? findToken(DEFAULT_ASSETS, token)?.address]]],
    ['safe', accountId, safe, [OWNER], [[token, held]]],
    ['treasury', TREASURY, [[token, treasury]]],
    ['owed', '0', accountId, [[token, owed]], safe],
  ]);
  const liabilities = JSON.stringify({
    head,
    publicKey: { kty, crv, x },
    totals: totals.map(([name, sum]) => [`${token}/${name}`, sum]),
    chain: null,
  });
  const signature = key.sign(reservesText(hash('sha256', lines), [liabilities]));
  return `${lines}${liabilities}\n${jsonLines([['signature', key.id, x, signature]])}`;
};
