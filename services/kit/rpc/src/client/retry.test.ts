import { Code, ConnectError } from '@connectrpc/connect';
import { CardService } from '@florin/proto/card/v1/card_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { describe, expect, it } from 'vitest';
import { CodedError, fromWire, toCodedError, toWire } from '../errors/index.ts';
import { createRetries } from './retry.ts';

const IDEMPOTENT = CardService.method.getCard;
const NOT_IDEMPOTENT = VerificationService.method.sendEmailCode;

const fault = (code: string) => Object.assign(new Error('socket'), { code });

/** Retries that record their pauses instead of waiting. */
const start = (random = 0) => {
  const pauses: number[] = [];
  let attempts = 0;
  const wait = async (ms: number): Promise<void> => void pauses.push(ms);
  const retries = createRetries({ random: () => random, wait });
  const call = async (outcome: unknown, { method = IDEMPOTENT as typeof IDEMPOTENT | typeof NOT_IDEMPOTENT, ...limits } = {}) => {
    const before = attempts;
    const given = { deadline: undefined, signal: undefined, ...limits };
    await retries(method, given, async () => {
      attempts += 1;
      if (outcome !== undefined) throw outcome;
    }).catch((thrown: unknown) => expect(thrown).toBeInstanceOf(ConnectError));
    return attempts - before;
  };
  return { call, pauses, attempts: () => attempts };
};

const CONNECTION_FAULTS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
];

describe('an idempotent call', () => {
  it.each(CONNECTION_FAULTS)('is attempted three times on %s, which callers see as SERVICE_UNAVAILABLE', async (code) => {
    expect(await start().call(fault(code))).toBe(3);
    expect(fromWire(ConnectError.from(fault(code))).code).toBe('SERVICE_UNAVAILABLE');
    expect(toCodedError(fault(code)).code).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([
    ['three times when an intermediary returns UNAVAILABLE', new ConnectError('away', Code.Unavailable), 3, 'SERVICE_UNAVAILABLE'],
    ['once when the service returns SERVICE_UNAVAILABLE', toWire(new CodedError('SERVICE_UNAVAILABLE')), 1, 'SERVICE_UNAVAILABLE'],
    ['once when the service rejects the request', toWire(new CodedError('CARD_NOT_FOUND')), 1, 'CARD_NOT_FOUND'],
    ['once when the deadline passes', new ConnectError('late', Code.DeadlineExceeded), 1, 'UPSTREAM_TIMEOUT'],
    ['once when the call is canceled', new ConnectError('gone', Code.Canceled), 1, 'SERVICE_UNAVAILABLE'],
    ['once when the peer aborts the call', new ConnectError('cut', Code.Aborted), 1, 'SERVICE_UNAVAILABLE'],
    ['once when the fault is not a connection fault', fault('ERR_INVALID_URL'), 1, 'INTERNAL_ERROR'],
    ['once when the response cannot be decoded', new TypeError('no bytes'), 1, 'INTERNAL_ERROR'],
  ])('is attempted %s', async (_what, failure, attempts, code) => {
    expect(await start().call(failure)).toBe(attempts);
    expect(fromWire(ConnectError.from(failure)).code).toBe(code);
  });

  it('is not retried after its caller has canceled it', async () => {
    expect(await start().call(fault('ECONNRESET'), { signal: AbortSignal.abort() } as never)).toBe(1);
  });

  it('is not retried when the pause would outlast its deadline', async () => {
    expect(await start().call(fault('ECONNRESET'), { deadline: performance.now() + 40 } as never)).toBe(1);
  });

  it('is retried after pauses of half to all of their maximum', async () => {
    const [shortest, longest] = [start(0), start(0.999)];
    await shortest.call(fault('ECONNRESET'));
    await longest.call(fault('ECONNRESET'));
    expect(shortest.pauses).toEqual([50, 200]);
    expect(longest.pauses.map(Math.round)).toEqual([100, 400]);
  });
});

describe('a call without an idempotency level', () => {
  it('is attempted once', async () => {
    expect(await start().call(fault('ECONNREFUSED'), { method: NOT_IDEMPOTENT })).toBe(1);
  });
});

describe('the retries of a channel', () => {
  it('are bounded while a service is down', async () => {
    const { call, attempts } = start();
    for (let index = 0; index < 1000; index += 1) await call(fault('ECONNREFUSED'));
    expect(attempts()).toBe(1000 + 20);
  });

  it('amount to a tenth of the calls that succeed', async () => {
    const { call, attempts } = start();
    for (let index = 0; index < 20; index += 1) await call(fault('ECONNREFUSED'));
    expect(await call(fault('ECONNREFUSED'))).toBe(1);
    for (let index = 0; index < 100; index += 1) await call(undefined);
    const before = attempts();
    for (let index = 0; index < 50; index += 1) await call(fault('ECONNREFUSED'));
    expect(attempts() - before).toBeGreaterThanOrEqual(50 + 9);
    expect(attempts() - before).toBeLessThanOrEqual(50 + 10);
  });
});
