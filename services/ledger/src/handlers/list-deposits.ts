import { parseRequest, userMethod } from '@florin/kit/rpc';
import type { ListDepositsRequest } from '@florin/proto/ledger/v1/movement_service';
import { z } from 'zod';
import { page } from './fields.ts';
import { movementPage } from './movement-page.ts';
import type { Parts } from './parts.ts';
import { depositToWire } from './wire.ts';

const request = z.object({ page });

export const listDeposits = (parts: Parts) =>
  userMethod(async (message: ListDepositsRequest, { caller }) => {
    const { rows, nextCursor } = await movementPage(parts, 'deposits', caller.userId, parseRequest(request, message).page);
    return { deposits: rows.map(depositToWire), page: { nextCursor } };
  });
