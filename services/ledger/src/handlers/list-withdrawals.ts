import { parseRequest, userMethod } from '@florin/kit/rpc';
import type { ListWithdrawalsRequest } from '@florin/proto/ledger/v1/movement_service';
import { z } from 'zod';
import { page } from './fields.ts';
import { movementPage } from './movement-page.ts';
import type { Parts } from './parts.ts';
import { withdrawalToWire } from './wire.ts';

const request = z.object({ page });

export const listWithdrawals = (parts: Parts) =>
  userMethod(async (message: ListWithdrawalsRequest, { caller }) => {
    const { rows, nextCursor } = await movementPage(parts, 'withdrawals', caller.userId, parseRequest(request, message).page);
    return { withdrawals: rows.map(withdrawalToWire), page: { nextCursor } };
  });
