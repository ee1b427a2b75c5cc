import { type ExtendHoldRequest, HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdExtended } from '../domain/hold.ts';
import { changeHold, holdShape } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema, timeSchema } from './fields.ts';

const requestSchema = z.object({ ...holdShape, changeId: uuidSchema, expiresAt: timeSchema, metadata: metadataSchema });

/** Makes a hold expire later. */
export const extendHold = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.writeEntries, (request: ExtendHoldRequest, call) => {
    const { accountId, holdId, changeId, ...rest } = parseRequest(requestSchema, request);
    const key = { accountId, holdId };
    return parts.shards.atOwner(accountId, { rpc: HoldService.method.extendHold, request, call }, (journal) =>
      changeHold(parts, journal, key, holdExtended(key, changeId, rest)),
    );
  });
