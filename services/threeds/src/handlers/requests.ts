import { pageSchema } from '@florin/data/paging';
import { Decision as WireDecision, ChallengeStatus as WireStatus } from '@florin/proto/threeds/v1/challenge';
import { uuidSchema } from '@florin/rpc/fields';
import { amountSchema } from '@florin/rpc/money';
import { z } from 'zod';
import type { Decision, Merchant } from '../domain/challenge.ts';
import type { ChallengeStatus } from '../domain/challenge-state.ts';
import { statusFromWire } from './to-wire.ts';

/**
 * Everything that has no glyph of its own and could change how a text reads: controls, line separators, bidi and other format
 * characters, fillers. Joiners and the two common variation selectors stay allowed: scripts and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** A text without one of these shows nothing, or marks that hang on whatever stands before it. */
const VISIBLE = /^(?:$|[\p{L}\p{N}\p{P}\p{S}])/u;

/** Networks pad names to columns; a row of spaces would push what follows it out of sight, or onto a line of its own. */
const joinSpaces = (text: string): string => text.replace(/\p{Zs}+/gu, ' ').trim();

/** Text of a merchant, which ends up in what a wallet shows. Empty means absent. */
const merchantText = (maxCharacters: number) =>
  z
    .string()
    .transform(joinSpaces)
    .refine((text) => [...text].length <= maxCharacters, `must have at most ${maxCharacters} characters`)
    .refine((text) => !INVISIBLE.test(text), 'must not have control, format or invisible characters')
    .refine((text) => VISIBLE.test(text), 'must begin with a visible character');

const merchant = z
  .object({
    id: merchantText(35),
    displayName: merchantText(40),
    country: z.string().regex(/^(?:[A-Z]{2})?$/, 'must be an ISO 3166-1 alpha-2 code'),
    categoryCode: z.string().regex(/^(?:[0-9]{4})?$/, 'must be four digits'),
  })
  .transform((given): Merchant => Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')));

const DEFAULT_LIFE_SECONDS = 300;

export const createChallengeSchema = z.object({
  reference: z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, 'must be 1 to 100 printable characters'),
  cardId: uuidSchema,
  amount: amountSchema,
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
  decimals: z.int().min(0).max(4),
  merchant: merchant.optional().transform((given): Merchant => given ?? {}),
  expiresInSeconds: z
    .int()
    .min(0)
    .max(900)
    .transform((value) => (value === 0 ? DEFAULT_LIFE_SECONDS : value)),
});

const WIRE_DECISIONS: ReadonlyMap<number, Decision> = new Map([
  [WireDecision.APPROVE, 'approve'],
  [WireDecision.DECLINE, 'decline'],
]);

const decision = z.number().transform((value, context): Decision => {
  const known = WIRE_DECISIONS.get(value);
  if (known !== undefined) return known;
  context.addIssue({ code: 'custom', message: 'must be approve or decline' });
  return z.NEVER;
});

export const challengeIdSchema = z.object({ challengeId: uuidSchema });

export const decisionSchema = z.object({ challengeId: uuidSchema, decision });

/** Undefined stands for all. */
const status = z.number().transform((value, context): ChallengeStatus | undefined => {
  if (value === WireStatus.UNSPECIFIED) return undefined;
  const known = statusFromWire(value);
  if (known !== undefined) return known;
  context.addIssue({ code: 'custom', message: 'must be a status of challenges' });
  return z.NEVER;
});

export const listSchema = z.object({ status, page: pageSchema });

export const signedDecisionSchema = z.object({ challengeId: uuidSchema, decision, signature: z.string() });
