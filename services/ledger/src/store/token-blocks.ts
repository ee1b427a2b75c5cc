import { LATEST } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { TokenBlock } from '../domain/token-block.ts';

type BlockDocument = TokenBlock & { _id: string };

const schema = new Schema<BlockDocument>(
  {
    _id: String,
    token: { type: String, required: true },
    reason: { type: String, required: true },
    accountId: String,
    since: { type: Date, required: true },
  },
  { collection: 'token_blocks', versionKey: false },
);

const idOf = ({ token, reason, accountId = '' }: Omit<TokenBlock, 'since'>): string => [token, reason, accountId].join('/');

/** Tokens that cannot be spent, by all accounts or by one. Read as LATEST: a block that was acknowledged never lapses because a primary was just elected. */
export const createTokenBlockStore = (connection: Connection) => {
  const model = connection.model<BlockDocument>('TokenBlock', schema);
  return {
    all: async (): Promise<TokenBlock[]> =>
      (await model.find({}, undefined, LATEST).sort({ _id: 1 }).lean<BlockDocument[]>()).map(({ _id, ...block }) => block),
    /** A token that is blocked stays as it is. */
    add: async (block: TokenBlock): Promise<void> => {
      await model.updateOne({ _id: idOf(block) }, { $setOnInsert: block }, { upsert: true });
    },
    remove: async (block: Omit<TokenBlock, 'since'>): Promise<void> => {
      await model.deleteOne({ _id: idOf(block) });
    },
  };
};

export type TokenBlockStore = ReturnType<typeof createTokenBlockStore>;
