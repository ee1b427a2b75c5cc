import type { User as WireUser, Wallet as WireWallet } from '@florin/proto/identity/v1/user';
import { z } from 'zod';
import { address, dateTime, id, phone, toIso } from './fields.ts';
import { kycStatus, toKycStatus } from './kyc.ts';

/** A wallet that may sign in. */
export const wallet = z.object({
  address,
  primary: z.boolean().meta({ description: 'True if the wallet registered the user, or replaced the wallet that did' }),
  approvesFrom: dateTime.meta({
    description:
      'From when the wallet may approve payments and wallets (end of its cooling time). It may sign in and decline payments before.',
  }),
});

export const toWallet = (wire: WireWallet): z.output<typeof wallet> => ({
  address: wire.address,
  primary: wire.primary,
  approvesFrom: toIso(wire.approvesFrom),
});

export const user = z
  .object({
    id,
    email: z.string(),
    phone: phone.optional().meta({ description: 'Phone number of the cardholder; absent while there is none' }),
    phoneVerified: z.boolean().optional().meta({ description: 'True if a code has verified the phone number; absent without one' }),
    wallets: z.array(wallet),
    partnerId: z.string(),
    kycStatus,
    createdAt: dateTime,
  })
  .meta({ id: 'User' });

/** @param cardholder whose phone number is shown, undefined without one */
export const toUser = (wire: WireUser, cardholder: { phone: string; phoneVerified: boolean } | undefined): z.output<typeof user> => ({
  id: wire.id,
  email: wire.email,
  ...(cardholder === undefined || cardholder.phone === '' ? {} : { phone: cardholder.phone, phoneVerified: cardholder.phoneVerified }),
  wallets: wire.wallets.map(toWallet),
  partnerId: wire.partnerId,
  kycStatus: toKycStatus(wire.kycStatus),
  createdAt: toIso(wire.createdAt),
});
