import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CountPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

const LONGEST_MS = 31 * 86_400_000;

/** Counts the approved and the declined payments of all users in a period. */
export const countPayments = ({ payments }: Dependencies) =>
  serviceMethod(async (request: CountPaymentsRequest) => {
    const [from, to] = [timestampDate(stated(request.from)), timestampDate(stated(request.to))];
    const isPeriod = from < to && to.getTime() - from.getTime() <= LONGEST_MS;
    requireFields({ to: isPeriod ? undefined : 'must be after from, by at most 31 days' });
    const { approved = 0, ...declined } = Object.fromEntries(await payments.countOutcomes(from, to));
    const reasons = Object.entries(declined).filter(([, count]) => count > 0);
    return { approved: BigInt(approved), declined: Object.fromEntries(reasons.map(([code, count]) => [code, BigInt(count)])) };
  });
