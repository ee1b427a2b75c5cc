import type { TestLedger } from './world.ts';

/** The heads that a ledger has published, as the gateway serves them at `/.well-known/ledger-heads`. */
export const publishedHeads = async (ledger: TestLedger) => {
  const { keys, heads } = await ledger.journal.listHeads({});
  return {
    keys: keys.map(({ x }) => ({ kty: 'OKP', crv: 'Ed25519', x })),
    heads: heads.map(({ shard, block, hash, time, root, owedRoot, shards, keyId, signature }) => ({
      shard,
      block: Number(block),
      hash,
      time,
      ...(root === '' ? {} : { root }),
      ...(owedRoot === '' ? {} : { owed: owedRoot }),
      ...(shards.length === 0 ? {} : { shards }),
      key: keyId,
      signature,
    })),
  };
};
