import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

const MAX_BLOCK = 10 ** 12;

const wholeNumber = (most: number) => z.coerce.number().int().min(0).max(most);

/** A part never changes; the newest file does, once an interval. */
const FRESH_SECONDS = 60;

export const getReserves = defineRoute({
  operationId: 'getReserves',
  method: 'get',
  path: '/.well-known/proof-of-reserves',
  tag: 'Ledger',
  summary: 'Get a proof of reserves',
  description:
    'The file states what every Safe held after a block of the chain, and what the ledger owed to its account when everything up to that block was booked, signed with the key of the heads. It is the `text` of its parts in order, byte for byte; `npm run ledger -- check-reserves FILE` checks it offline. To read all parts of one file, name its `chainId` and `block` from part 1 on.',
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  query: z.object({
    chainId: wholeNumber(2 ** 32 - 1)
      .optional()
      .meta({ description: 'EIP-155 chain id. Default: the chain of the newest file' }),
    block: wholeNumber(MAX_BLOCK).optional().meta({ description: 'Block as of which the file states balances. Default: the newest file' }),
    part: wholeNumber(1_000_000).default(0).meta({ description: 'Number of the part, from 0' }),
  }),
  answers: {
    200: z.object({
      chainId: z.number().int(),
      block: z.number().int(),
      blockHash: z.string().regex(/^0x[0-9a-f]{64}$/),
      createdAt: dateTime,
      part: z.number().int(),
      parts: z.number().int().meta({ description: 'Number of parts' }),
      text: z.string().meta({ description: 'Whole lines of the file' }),
    }),
  },
  errors: ['RESERVES_NOT_FOUND'],
  handler: async ({ query: { chainId = 0, block = 0, part } }, { upstream, asGateway }) => {
    const { reserves } = upstream;
    if (reserves === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const found = await asGateway((options) => reserves.getReserves({ chainId, blockNumber: BigInt(block), part }, options));
    const { blockNumber, blockHash, createdAt, parts, text } = found;
    return { chainId: found.chainId, block: Number(blockNumber), blockHash, createdAt: toIso(createdAt), part, parts, text };
  },
});
