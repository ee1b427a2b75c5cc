import type { JsonRpc } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { z } from 'zod';

export const REQUEST_TIMEOUT_MS = 10_000;

const lowerHex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase() as Hex);

/** A number that JavaScript represents exactly, in the encoding of Ethereum's JSON-RPC: no leading zeros. */
export const quantity = z
  .string()
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/)
  .transform(Number);
export const bytes = lowerHex(/^0x(?:[0-9a-fA-F]{2})*$/);
/** 32 bytes: a hash, a topic, a storage slot. */
export const word = lowerHex(/^0x[0-9a-fA-F]{64}$/);
export const address = lowerHex(/^0x[0-9a-fA-F]{40}$/);

export const toQuantity = (value: number): Hex => `0x${value.toString(16)}`;

/** Calls a method and reads its result. */
export type Ask = <S extends z.ZodType>(method: string, params: readonly unknown[], schema: S) => Promise<z.output<S>>;

/** @throws Error that names the method and never contains the response */
export const parseResult = <S extends z.ZodType>(method: string, result: unknown, schema: S): z.output<S> => {
  const parsed = schema.safeParse(result);
  if (!parsed.success) throw new Error(`${method} returned a result of an unknown form: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return parsed.data;
};

export const createAsk =
  (call: JsonRpc): Ask =>
  async (method, params, schema) =>
    parseResult(method, await call(method, params, AbortSignal.timeout(REQUEST_TIMEOUT_MS)), schema);
