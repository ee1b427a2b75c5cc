import type { PublicKey } from '@florin/rpc/signing-key';
import { z } from 'zod';
import type { Head } from './head.ts';

/** The document at `/.well-known/ledger-heads`. */
const publishedSchema = z.object({
  keys: z.array(z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })).max(100),
  heads: z
    .array(
      z.object({
        shard: z.string(),
        block: z.number().int().positive(),
        hash: z.string(),
        time: z.string(),
        root: z.string().optional(),
        owed: z.string().optional(),
        shards: z.array(z.string()).optional(),
        key: z.string(),
        signature: z.string(),
      }),
    )
    .max(100_000),
});

/** Reads a kept copy of the published heads. @throws Error when the text is not such a document */
export const readPublishedHeads = (text: string): { keys: PublicKey[]; heads: Head[] } => {
  const { keys, heads } = publishedSchema.parse(JSON.parse(text));
  return {
    keys,
    heads: heads.map(({ shard, block, hash, time, root, owed, shards, key, signature }) => ({
      shard,
      n: block,
      hash,
      at: time,
      ...(root === undefined ? {} : { root }),
      ...(owed === undefined ? {} : { owed }),
      ...(shards === undefined ? {} : { shards }),
      key,
      signature,
    })),
  };
};
