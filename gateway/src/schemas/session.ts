import type { Session as WireSession } from '@florin/proto/identity/v1/session';
import { z } from 'zod';
import { address, dateTime, id, toIso } from './fields.ts';

/** A session as shown to its owner. */
export const session = z
  .object({
    id,
    wallet: address,
    createdAt: dateTime,
    lastUsedAt: dateTime.meta({ description: 'When its tokens were last refreshed, or the sign-in' }),
    userAgent: z.string().optional(),
    ip: z.string().optional(),
    current: z.boolean().meta({ description: 'True if the token of this request belongs to the session' }),
  })
  .meta({ id: 'Session' });

export const toSession = (wire: WireSession): z.output<typeof session> => ({
  id: wire.id,
  wallet: wire.wallet,
  createdAt: toIso(wire.createdAt),
  lastUsedAt: toIso(wire.lastUsedAt),
  ...(wire.userAgent === '' ? {} : { userAgent: wire.userAgent }),
  ...(wire.ip === '' ? {} : { ip: wire.ip }),
  current: wire.current,
});
