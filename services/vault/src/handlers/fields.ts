import { CardDataAction as Wire } from '@florin/proto/vault/v1/card_data_service';
import { z } from 'zod';
import type { CardDataAction } from '../domain/card-data-text.ts';

const MAX_YEAR = 2099;
const MIN_YEAR = 2000;

export const expiryFields = { expMonth: z.int().min(1).max(12), expYear: z.int().min(MIN_YEAR).max(MAX_YEAR) };

/** SHA-256 in base64url (RFC 7638). */
export const thumbprintSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 thumbprint in base64url');

/** Compact JWE (RFC 7516, section 7.1) with direct key agreement: the second part is empty. */
export const jweSchema = z
  .string()
  .max(4096)
  .regex(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+$/, 'must be a compact JWE');

/** Longest hex text of a wallet's signature that is looked at. */
export const signatureSchema = z.string().min(1).max(4098);

const ACTIONS: Readonly<Record<CardDataAction, Wire>> = {
  view_details: Wire.VIEW_DETAILS,
  view_pin: Wire.VIEW_PIN,
  set_pin: Wire.SET_PIN,
};

export const actionToWire = (action: CardDataAction | 'seal'): Wire => (action === 'seal' ? Wire.UNSPECIFIED : ACTIONS[action]);

const actionOf = (wire: Wire): CardDataAction | undefined =>
  (Object.keys(ACTIONS) as CardDataAction[]).find((action) => ACTIONS[action] === wire);

/** Schema of an action out of those that an RPC knows. */
export const actionSchema = (allowed: readonly CardDataAction[]) =>
  z.enum(Wire).transform((wire, context) => {
    const action = actionOf(wire);
    if (action !== undefined && allowed.includes(action)) return action;
    context.addIssue({ code: 'custom', message: `must be one of ${allowed.join(', ').toUpperCase()}` });
    return z.NEVER;
  });
