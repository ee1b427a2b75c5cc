import type { FindPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Returns which of the caller's card transactions the ledger's holds and entries belong to. */
export const findPayments = ({ payments, program }: Dependencies) =>
  userMethod(async ({ references }: FindPaymentsRequest, { caller }) => {
    if (references.length === 0) return { paymentIds: {} };
    const found = await payments.findByEntries(caller.userId, references);
    const asked = new Set(references);
    const links = found.flatMap(({ id, ledgerEntries }) => ledgerEntries.filter((entry) => asked.has(entry)).map((entry) => [entry, id]));
    return {
      paymentIds: Object.fromEntries(links) as Record<string, string>,
      payments: found.map((payment) => toWirePayment(payment, program, false)),
    };
  });
