import type { Head } from '@florin/evm/reserves';
import type { ListHeadsRequest } from '@florin/proto/ledger/v1/journal_service';
import { publicMethod } from '@florin/rpc/server';
import { keyId } from '@florin/rpc/signing-key';
import type { Dependencies } from './dependencies.ts';

const HEADS_PER_SHARD = 20;

export const toWireHead = ({ shard, n, hash, at, root = '', owed = '', shards = [], key, signature }: Head) => ({
  shard,
  block: BigInt(n),
  hash,
  time: at,
  root,
  owedRoot: owed,
  shards: [...shards],
  keyId: key,
  signature,
});

export const listHeads = ({ shards, heads, headKeys }: Dependencies) =>
  publicMethod(async (_request: ListHeadsRequest) => {
    const found = await Promise.all(
      shards.names().map(async (shard) => {
        const withRoot = await heads.newestWithRoot(shard);
        const newest = await heads.newest(shard, HEADS_PER_SHARD);
        return withRoot === undefined || newest.some(({ n, root }) => n === withRoot.n && root !== undefined)
          ? newest
          : [...newest, withRoot];
      }),
    );
    return {
      keys: headKeys.map((key) => ({ id: keyId(key), x: key.x })),
      heads: found.flat().map(toWireHead),
    };
  });
