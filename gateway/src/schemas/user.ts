import type { User as WireUser } from '@florin/proto/identity/v1/user';
import { z } from 'zod';
import { address, dateTime, id, phone, toIso, toWord } from './fields.ts';
import { KYC_STATUS, kycStatus } from './kyc.ts';

/** A wallet that may sign in. The primary wallet registered the user. */
export const wallet = z.object({ address, primary: z.boolean() });

export const user = z
  .object({
    id,
    email: z.string(),
    phone: phone.optional().meta({ description: 'Phone number of the cardholder; absent while there is none' }),
    wallets: z.array(wallet),
    partnerId: z.string(),
    kycStatus,
    createdAt: dateTime,
  })
  .meta({ id: 'User' });

export const toUser = (wire: WireUser, phoneNumber: string | undefined): z.output<typeof user> => ({
  id: wire.id,
  email: wire.email,
  ...(phoneNumber === undefined ? {} : { phone: phoneNumber }),
  wallets: wire.wallets.map(({ address: of, primary }) => ({ address: of, primary })),
  partnerId: wire.partnerId,
  kycStatus: toWord(KYC_STATUS, wire.kycStatus),
  createdAt: toIso(wire.createdAt),
});
