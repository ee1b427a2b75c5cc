import type { Safe as WireSafe } from '@florin/proto/chain/v1/safe';
import {
  AccountStatus,
  TokenBlockReason,
  type Account as WireAccount,
  type TokenBlock as WireTokenBlock,
} from '@florin/proto/ledger/v1/account';
import { z } from 'zod';
import { address, currency, dateTime, id, toIso, token } from './fields.ts';
import { deployment, toDeployment } from './safe.ts';
import { wordsOf } from './words.ts';

const status = wordsOf(AccountStatus);
const blockReason = wordsOf(TokenBlockReason);

/** A token that cannot be spent, and why. */
export const tokenBlock = z
  .object({
    token,
    reason: blockReason.schema.meta({
      description:
        '`frozen`: its issuer has frozen the Safe of the account. `paused`: its issuer has paused it. `upgraded`: its issuer has exchanged its code, and the operator has not decided yet that it can be spent',
    }),
    since: dateTime,
  })
  .meta({ id: 'TokenBlock' });

export const toTokenBlock = ({ token: symbol, reason, since }: WireTokenBlock): z.output<typeof tokenBlock> => ({
  token: symbol,
  reason: blockReason.toWord(reason),
  since: toIso(since),
});

/** Section 2.5 of the specification; `deployment` and `tokenBlocks` are additions. */
export const account = z
  .object({
    id,
    kycProfileId: id,
    safeOwnerAddress: address,
    safeAddress: address,
    chain: z.object({ name: z.string(), id: z.string().meta({ description: 'EIP-155 chain id in decimal' }) }),
    chainName: z.string().meta({ description: 'The `name` of `chain`' }),
    reference: z.string().meta({ description: 'Payment reference, unique to the account' }),
    nativeCurrency: currency,
    additionalCurrencies: z.array(currency),
    createdAt: dateTime,
    updatedAt: dateTime,
    closedAt: dateTime.optional(),
    status: status.schema,
    provisionedAt: dateTime.optional(),
    tokenBlocks: z.array(tokenBlock).meta({ description: 'Tokens that the account cannot spend at the moment, whatever it has of them' }),
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
  status: status.toWord(wire.status),
  ...(wire.provisionedAt === undefined ? {} : { provisionedAt: toIso(wire.provisionedAt) }),
  tokenBlocks: wire.tokenBlocks.map(toTokenBlock),
  ...(safe === undefined
    ? {}
    : {
        deployment: {
          ...toDeployment(safe),
          ...(wire.safeReplacementAddress === '' ? {} : { replacement: wire.safeReplacementAddress }),
        },
      }),
});
