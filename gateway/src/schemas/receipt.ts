import { type DecisionReceipt, SignerType } from '@florin/proto/threeds/v1/challenge';
import { z } from 'zod';
import { decision, merchant, toMerchant } from './challenge.ts';
import { address, amount, currency, dateTime, id, present, toIso } from './fields.ts';
import { toTypedMessage, typedMessage } from './typed-message.ts';
import { wordsOf } from './words.ts';

const signerType = wordsOf(SignerType);

const digest = z.string().regex(/^0x[0-9a-f]{64}$/);

/** A receipt that `npm run verify-receipt` checks offline as it is (`services/threeds/src/receipts/rest-receipt.ts`). */
export const receipt = z
  .object({
    challengeId: id,
    decision: decision.schema,
    typedData: typedMessage,
    typedDataHash: digest.meta({ description: 'EIP-712 digest of `typedData`, which was signed' }),
    signature: z
      .string()
      .meta({ description: '0x and hexadecimal digits in lower case: 65 bytes of a wallet, 65 to 2048 bytes for a Safe' }),
    signer: address.meta({ description: 'The wallet that has signed, or the Safe that has accepted the signature' }),
    signerType: signerType.schema.meta({
      description:
        '`wallet`: the address is recovered from the signature. `safe`: its contract accepts the signature (EIP-1271) at `blockNumber`.',
    }),
    blockNumber: z.int().min(1).optional().meta({ description: 'Block of the chain `typedData.domain.chainId`; present for a Safe' }),
    issuedAt: dateTime.meta({ description: 'When the typed data was created' }),
    decidedAt: dateTime,
    expiresAt: dateTime.meta({ description: 'When the challenge expires' }),
    amount: amount.optional().meta({ description: 'Absent without a payment, like `currency` and `decimals`' }),
    currency: currency.optional(),
    decimals: z.int().min(0).max(4).optional(),
    cardLast4: z.string(),
    merchant: merchant.optional(),
    fingerprint: digest.meta({ description: 'SHA-256 over the other fields, which detects damage of those that are not signed' }),
  })
  .meta({ id: 'DecisionReceipt', description: 'Evidence of the decision, which `npm run verify-receipt` checks offline' });

export const toReceipt = (wire: DecisionReceipt, withDomainType: boolean): z.output<typeof receipt> => ({
  challengeId: wire.challengeId,
  decision: decision.toWord(wire.decision),
  typedData: toTypedMessage(present(wire.typedData, 'typed data'), withDomainType),
  typedDataHash: wire.typedDataHash,
  signature: wire.signature,
  signer: wire.signer,
  signerType: signerType.toWord(wire.signerType),
  ...(wire.blockNumber === 0n ? {} : { blockNumber: Number(wire.blockNumber) }),
  issuedAt: toIso(wire.issuedAt),
  decidedAt: toIso(wire.decidedAt),
  expiresAt: toIso(wire.expiresAt),
  ...(wire.amount === '' ? {} : { amount: wire.amount, currency: wire.currency, decimals: wire.decimals }),
  cardLast4: wire.cardLast4,
  ...(wire.merchant === undefined ? {} : { merchant: toMerchant(wire.merchant) }),
  fingerprint: wire.fingerprint,
});
