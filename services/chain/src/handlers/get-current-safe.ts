import type { GetCurrentSafeRequest } from '@florin/proto/chain/v1/safe_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireOwnSafe } from './own-safe.ts';
import { toWireSafe } from './to-wire-safe.ts';

/** The Safe of the caller's account. */
export const getCurrentSafe = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (_request: GetCurrentSafeRequest, { caller: { userId } }) => {
    const { stored, ...plan } = await requireOwnSafe({ keeper, accounts }, userId);
    return { safe: toWireSafe(plan, stored) };
  });
