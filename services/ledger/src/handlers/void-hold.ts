import { HoldService, type VoidHoldRequest } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdVoided } from '../domain/hold.ts';
import { changeHold, holdShape } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema } from './fields.ts';

const requestSchema = z.object({ ...holdShape, metadata: metadataSchema });

/** Returns all money of a hold and ends it. */
export const voidHold = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.writeEntries, (request: VoidHoldRequest, call) => {
    const { accountId, holdId, metadata } = parseRequest(requestSchema, request);
    const key = { accountId, holdId };
    return parts.shards.atOwner(accountId, { rpc: HoldService.method.voidHold, request, call }, (journal) =>
      changeHold(parts, journal, key, holdVoided(key, { metadata })),
    );
  });
