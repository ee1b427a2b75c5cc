import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { amountSchema } from '@florin/rpc/money';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { holdPosted } from '../domain/hold-posting.ts';
import { changeHold, holdShape, readShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';

const requestSchema = z
  .object({
    ...holdShape,
    postingId: unlessEmpty(uuidSchema),
    keepOpen: z.boolean(),
    forced: z.boolean(),
    fromHold: unlessEmpty(z.union([z.literal('0'), amountSchema])),
    metadata: metadataSchema,
  })
  .refine(({ keepOpen, postingId }) => !keepOpen || postingId !== undefined, { path: ['postingId'], message: 'is required with keepOpen' })
  .refine(({ fromHold, forced }) => fromHold === undefined || forced, { path: ['fromHold'], message: 'needs forced' });

/** Takes the money of a hold, whole or in part; a forced posting is always booked. */
export const postHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.postHold,
    forProcesses(LEDGER_SCOPES.writeEntries),
    (request, call) => {
      const { accountId, holdId, fromHold, ...posting } = parseRequest(requestSchema, request);
      const { amount, transfers } = request;
      const share = readShare(dependencies, call.caller, { accountId, amount, transfers });
      const { systemAccounts } = dependencies;
      const most = fromHold === undefined ? {} : { fromHold: BigInt(fromHold) };
      return { accountId, holdId, intent: holdPosted({ accountId, holdId }, { ...posting, ...most, share, systemAccounts }) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
