import type { Head } from '@florin/proto/ledger/v1/journal_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const ledgerHead = z
  .object({
    shard: z.string(),
    block: z.number().int().min(1).meta({ description: 'Number of the block' }),
    hash: digest.meta({ description: 'SHA-256 of the block, which covers all blocks before it' }),
    time: z.iso.datetime().meta({ description: 'Time of the block' }),
    root: digest.optional().meta({ description: 'Root of the tree of all balances after the block' }),
    owed: digest.optional().meta({ description: 'Root of the tree of what is owed to each account after the block' }),
    shards: z.array(z.string()).optional().meta({ description: 'All shards of the ledger' }),
    key: z.string().meta({ description: 'Thumbprint (RFC 7638) of the key that signed' }),
    signature: z.string().meta({
      description:
        'Ed25519, base64url, over the JSON array ["florin-head-2", shard, block, hash, time, root or "", owed or "", shards, key] without white space; of a head without shards over ["florin-head-1", shard, block, hash, time, root or "", key]',
    }),
  })
  .meta({ id: 'LedgerHead' });

export const toLedgerHead = ({
  shard,
  block,
  hash,
  time,
  root,
  owedRoot,
  shards,
  keyId,
  signature,
}: Head): z.output<typeof ledgerHead> => ({
  shard,
  block: Number(block),
  hash,
  time,
  ...(root === '' ? {} : { root }),
  ...(owedRoot === '' ? {} : { owed: owedRoot }),
  ...(shards.length === 0 ? {} : { shards }),
  key: keyId,
  signature,
});

const key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string().meta({ description: 'Thumbprint (RFC 7638)' }),
});

/** Heads are signed every few seconds. */
const FRESH_SECONDS = 5;

export const listLedgerHeads = defineRoute({
  operationId: 'listLedgerHeads',
  method: 'get',
  path: '/.well-known/ledger-heads',
  tag: 'Ledger',
  summary: 'Signed heads of the ledger, newest first',
  description:
    "Each head states that the ledger's journal has a block, and everything before it. A copy kept elsewhere shows later whether any of it was changed.",
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  answers: { 200: z.object({ keys: z.array(key), heads: z.array(ledgerHead) }) },
  errors: [],
  handler: async (_input, { upstream, asGateway }) => {
    const { keys, heads } = await asGateway((options) => upstream.journal.listHeads({}, options));
    return {
      keys: keys.map(({ id, x }) => ({ kty: 'OKP' as const, crv: 'Ed25519' as const, x, kid: id })),
      heads: heads.map(toLedgerHead),
    };
  },
});
