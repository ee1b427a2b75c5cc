import type { Safe as WireSafe } from '@florin/proto/chain/v1/safe';
import { AccountStatus, type Account as WireAccount } from '@florin/proto/ledger/v1/account';
import { z } from 'zod';
import { address, currency, dateTime, id, toIso, toWord } from './fields.ts';
import { deployment, toDeployment } from './safe.ts';

const STATUS = {
  [AccountStatus.PROVISIONING]: 'provisioning',
  [AccountStatus.ACTIVE]: 'active',
  [AccountStatus.BLOCKED]: 'blocked',
  [AccountStatus.CLOSED]: 'closed',
} as const;

/** Section 2.5 of the specification; `deployment` is an addition. */
export const account = z
  .object({
    id,
    kycProfileId: id,
    safeOwnerAddress: address,
    safeAddress: address,
    chain: z.object({ name: z.string(), id: z.string().meta({ description: 'EIP-155 chain id in decimal' }) }),
    chainName: z.string(),
    reference: z.string().meta({ description: 'Payment reference, unique to the account' }),
    nativeCurrency: currency,
    additionalCurrencies: z.array(currency),
    createdAt: dateTime,
    updatedAt: dateTime,
    closedAt: dateTime.optional(),
    status: z.enum(Object.values(STATUS)),
    provisionedAt: dateTime.optional(),
    deployment: deployment.optional(),
  })
  .meta({ id: 'Account' });

/** @param safe undefined where none is deployed */
export const toAccount = (wire: WireAccount, safe: WireSafe | undefined): z.output<typeof account> => ({
  id: wire.id,
  kycProfileId: wire.kycProfileId,
  safeOwnerAddress: wire.safeOwnerAddress,
  safeAddress: wire.safeAddress,
  chain: { name: wire.chainName, id: String(wire.chainId) },
  chainName: wire.chainName,
  reference: wire.reference,
  nativeCurrency: wire.nativeCurrency,
  additionalCurrencies: [...wire.additionalCurrencies],
  createdAt: toIso(wire.createdAt),
  updatedAt: toIso(wire.updatedAt),
  ...(wire.closedAt === undefined ? {} : { closedAt: toIso(wire.closedAt) }),
  status: toWord(STATUS, wire.status),
  ...(wire.provisionedAt === undefined ? {} : { provisionedAt: toIso(wire.provisionedAt) }),
  ...(safe === undefined ? {} : { deployment: toDeployment(safe) }),
});
