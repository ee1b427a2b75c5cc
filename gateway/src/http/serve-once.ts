import type { Logger } from '@florin/rpc/observe';
import type { DerivedKeys, IdempotencyRecords } from '../idempotency/index.ts';
import type { Answer } from './send.ts';

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/**
 * Runs a request at most once per Idempotency-Key: a 2xx response is kept and returned to repeats. A rejection changed nothing and is
 * not kept, so that a repeat is judged again. If the gateway is killed while it runs, the marker expires after 20 seconds, and the retry
 * reaches the services with the same request key.
 * @throws CodedError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, SERVICE_UNAVAILABLE and the errors of `run`
 */
export const serveOnce = async (
  {
    records,
    keys,
    content,
    context,
  }: { records: IdempotencyRecords; keys: DerivedKeys; content: unknown; context: { readonly logger: Logger } },
  run: (requestKey: () => string) => Promise<Answer>,
): Promise<Answer> => {
  const claim = await records.claim(keys, content);
  if (claim.replay !== undefined) return { ...claim.replay, headers: { 'Idempotency-Replayed': 'true' } };
  // Redis may have become unavailable. The operation is done and its response must be sent; the marker expires by itself.
  const forgive = (err: unknown) => context.logger.warn({ err }, 'writing the idempotency record failed');
  try {
    const answer = await run(() => keys.requestKey);
    await (isSuccess(answer) ? claim.keep(answer) : claim.release()).catch(forgive);
    return answer;
  } catch (error) {
    await claim.release().catch(forgive);
    throw error;
  }
};
