import { type SafeBackup, SafeStatus, type Safe as WireSafe, type SafeTransaction as WireTransaction } from '@florin/proto/chain/v1/safe';
import { z } from 'zod';
import { address, dateTime, toIso } from './fields.ts';
import { wordsOf } from './words.ts';

const integer = z.string().regex(/^\d+$/).meta({ description: 'Integer in decimal' });

const status = wordsOf(SafeStatus);

/** A backup key. */
export const backup = z
  .object({
    key: address.meta({ description: 'The backup key' }),
    module: address.meta({ description: 'Zodiac Delay module in which the exchange of a lost owner waits' }),
    cooldownSeconds: z.int().meta({ description: 'Seconds between the request for an exchange and its execution' }),
    expirationSeconds: z.int().meta({ description: 'Seconds after the cooldown in which it can be executed' }),
  })
  .meta({ id: 'BackupKey' });

/** The Safe of an account on its chain. */
export const deployment = z
  .object({
    status: status.schema.meta({
      description:
        '`predicted` until the set-up is signed, `relaying` until it is final, `verified` when the Safe is what an account needs, `deviating` when it is not',
    }),
    findings: z.array(z.string()).meta({ description: 'In what the Safe differs from what an account needs; empty unless `deviating`' }),
    verifiedAt: dateTime.optional().meta({ description: 'When it was verified first' }),
    owner: address.meta({ description: 'The owner today, a wallet of the user' }),
    firstOwner: address.optional().meta({
      description: 'The owner that the address of the Safe commits to; absent unless a recovery has exchanged it',
    }),
    replacement: address.optional().meta({
      description:
        'The wallet that has replaced a lost owner, and becomes the owner with the backup key; absent without one, and once an exchange has made it the owner. The owner itself if it was put back',
    }),
    platformOwner: address.meta({ description: 'The second owner, a key or a Safe of the platform: both owners must sign' }),
    delayModule: address.meta({ description: 'Zodiac Delay module, through which the owner can move the money without the platform' }),
    cooldownSeconds: z.int().meta({ description: 'Seconds between a request to the Delay module and its execution' }),
    expirationSeconds: z.int().meta({ description: 'Seconds after the cooldown in which it can be executed' }),
    backup: backup
      .optional()
      .meta({ description: 'The key that exchanges a lost owner together with the platform; absent before one is named' }),
    setUpSignature: z
      .string()
      .max(4098)
      .regex(/^0x[0-9a-f]+$/)
      .optional()
      .meta({
        description:
          'The signature of `platformOwner` over the set-up. With it the owner can deploy the Safe, set it up and leave without the platform: keep it before money is sent to the address. Absent where the owner alone signs the set-up, and once a backup key is named: the Safe is set up then',
      }),
    collection: z
      .object({
        treasury: address.meta({ description: 'Receives what is collected' }),
        limits: z.array(
          z.object({
            token: address.meta({ description: 'The contract of the token' }),
            perDay: integer.meta({ description: 'Most that is collected of it in a day (UTC), in its smallest unit' }),
          }),
        ),
      })
      .optional()
      .meta({
        description:
          'Limits within which the platform may collect card spending: part of the set-up. Absent for a Safe from which nothing is collected',
      }),
  })
  .meta({ id: 'Deployment' });

export const toBackup = ({ key, module, cooldownSeconds, expirationSeconds }: SafeBackup): z.output<typeof backup> => ({
  key,
  module,
  cooldownSeconds,
  expirationSeconds,
});

export const toDeployment = (wire: WireSafe): z.output<typeof deployment> => ({
  status: status.toWord(wire.status),
  findings: [...wire.findings],
  ...(wire.verifiedAt === undefined ? {} : { verifiedAt: toIso(wire.verifiedAt) }),
  owner: wire.owner,
  ...(wire.firstOwner === '' || wire.firstOwner === wire.owner ? {} : { firstOwner: wire.firstOwner }),
  ...(wire.backup === undefined ? {} : { backup: toBackup(wire.backup) }),
  platformOwner: wire.platform,
  delayModule: wire.delayModule,
  cooldownSeconds: wire.cooldownSeconds,
  expirationSeconds: wire.expirationSeconds,
  ...(wire.collection === undefined
    ? {}
    : {
        collection: {
          treasury: wire.collection.treasury,
          limits: wire.collection.limits.map(({ token, perDay }) => ({ token, perDay })),
        },
      }),
  ...(wire.setUpSignature === '' ? {} : { setUpSignature: wire.setUpSignature }),
});

/** EIP-712 type of a transaction of a Safe 1.4.1. */
export const SAFE_TX = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
];

/** The type of `domain`, as EIP-712 defines it for the fields that are used. */
const EIP712_DOMAIN = [
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

const typedField = z.object({ name: z.string(), type: z.string() });

/** EIP-712 typed data of a transaction of a Safe 1.4.1, which the owner's wallet signs unchanged. */
export const safeTypedData = z
  .object({
    domain: z.object({ chainId: z.int(), verifyingContract: address.meta({ description: 'The Safe' }) }),
    primaryType: z.literal('SafeTx'),
    types: z.object({
      EIP712Domain: z.array(typedField).optional().meta({ description: 'Type of `domain`; present with `domainType=true`' }),
      SafeTx: z.array(typedField),
    }),
    message: z.object({
      to: address.meta({ description: 'The called contract; of a withdrawal, the token' }),
      value: integer,
      data: z.string().meta({ description: 'Call data; of a withdrawal, `transfer(recipient, amount)` of the token' }),
      operation: z.int().meta({ description: '0 calls, 1 delegates' }),
      safeTxGas: integer,
      baseGas: integer,
      gasPrice: integer,
      gasToken: address,
      refundReceiver: address,
      nonce: integer,
    }),
  })
  .meta({ id: 'SafeTypedData' });

/** @param withDomainType adds `EIP712Domain` to the types, for raw `eth_signTypedData_v4` */
export const toSafeTypedData = (wire: WireTransaction, withDomainType: boolean): z.output<typeof safeTypedData> => ({
  domain: { chainId: wire.chainId, verifyingContract: wire.safe },
  primaryType: 'SafeTx',
  types: { ...(withDomainType ? { EIP712Domain: EIP712_DOMAIN } : {}), SafeTx: SAFE_TX },
  message: {
    to: wire.to,
    value: '0',
    data: wire.data,
    operation: wire.operation,
    safeTxGas: wire.safeTxGas,
    baseGas: '0',
    gasPrice: '0',
    gasToken: ZERO_ADDRESS,
    refundReceiver: ZERO_ADDRESS,
    nonce: wire.nonce,
  },
});
