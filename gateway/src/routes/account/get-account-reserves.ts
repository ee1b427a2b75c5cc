import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';
import { ledgerHead, toLedgerHead } from '../ledger/list-ledger-heads.ts';

const amounts = z.array(z.object({ token: z.string(), amount: z.string().meta({ description: "In the token's smallest unit" }) }));

export const getAccountReserves = defineRoute({
  operationId: 'getAccountReserves',
  method: 'get',
  path: '/user/account/reserves',
  tag: 'User Account',
  summary: 'Get the account in the proof of reserves',
  description:
    "Returns the line of the caller's account, or of a former one, in the newest proof of reserves: what the account's Safe held after a block of the chain, and what the ledger owed to the account, with the way to the signed head that states it. `checkReserves` of `@florin/client/viem` checks it without the platform. The Safe's address follows from the account and the owners.",
  policy: 'user',
  query: z.object({
    accountId: z.uuid().optional().meta({ description: 'A former account (`GET /user/moves`); default: the current one' }),
  }),
  answers: {
    200: z
      .object({
        accountId: z.uuid(),
        chainId: z.number().int(),
        block: z.number().int().meta({ description: 'Block of the chain as of which the Safe is shown' }),
        blockHash: z.string().regex(/^0x[0-9a-f]{64}$/),
        createdAt: dateTime,
        safeAddress: z.string(),
        owners: z.array(z.string()).meta({ description: "Owners in the Safe's initializer, the wallet first; empty when it held nothing" }),
        held: amounts.meta({ description: 'Amounts that the Safe held, by token, without zeros' }),
        owed: amounts.meta({ description: 'Amounts that the Safe must hold, by token, without zeros' }),
        accountPath: z.array(z.string()).meta({ description: 'Siblings within the bucket of the account, from the bottom: side and hash' }),
        bucketPath: z.array(z.string()).meta({ description: 'Siblings of the bucket, from the bottom' }),
        head: ledgerHead,
        publicKey: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
      })
      .meta({ id: 'AccountReserves' }),
  },
  errors: ['ACCOUNT_NOT_FOUND', 'RESERVES_NOT_FOUND'],
  handler: async ({ query: { accountId = '' } }, { upstream, asCaller }) => {
    const { reserves, journal } = upstream;
    if (reserves === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const found = await reserves.getCurrentReserves({ accountId }, asCaller);
    const { head, x, owed, accountPath, bucketPath } = await journal.getCurrentLiability({ accountId }, asCaller);
    if (head === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const plain = (rows: readonly { token: string; amount: string }[]) => rows.map(({ token, amount }) => ({ token, amount }));
    return {
      accountId: found.accountId,
      chainId: found.chainId,
      block: Number(found.blockNumber),
      blockHash: found.blockHash,
      createdAt: toIso(found.createdAt),
      safeAddress: found.safeAddress,
      owners: found.owners,
      held: plain(found.held),
      owed: plain(owed),
      accountPath,
      bucketPath,
      head: toLedgerHead(head),
      publicKey: { kty: 'OKP' as const, crv: 'Ed25519' as const, x },
    };
  },
});
