import type { FindPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ references: z.array(uuidSchema).max(100) });

/** Returns which of the caller's card transactions the ledger's holds and entries belong to. */
export const findPayments = ({ payments }: Dependencies) =>
  userMethod(async (request: FindPaymentsRequest, { caller }) => {
    const { references } = parseRequest(requestSchema, request);
    if (references.length === 0) return { paymentIds: {} };
    const found = await payments.findByEntries(caller.userId, references);
    const asked = new Set(references);
    const links = found.flatMap(({ id, ledgerEntries }) => ledgerEntries.filter((entry) => asked.has(entry)).map((entry) => [entry, id]));
    return { paymentIds: Object.fromEntries(links) as Record<string, string> };
  });
