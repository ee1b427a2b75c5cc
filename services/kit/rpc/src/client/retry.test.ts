import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { CardService } from '@florin/proto/card/v1/card_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { describe, expect, it } from 'vitest';
import { CodedError, fromWire, toCodedError, toWire } from '../errors/index.ts';
import { retryIdempotent } from './retry.ts';

type Request = Parameters<ReturnType<Interceptor>>[0];

/** Counts the attempts of a call that always fails with `failure`. */
const attemptsOf = async (
  failure: unknown,
  { method = CardService.method.getCard as object, stream = false, signal = new AbortController().signal } = {},
) => {
  let attempts = 0;
  const call = retryIdempotent(async () => {
    attempts += 1;
    throw failure;
  });
  await expect(call({ method, stream, signal } as unknown as Request)).rejects.toBeInstanceOf(ConnectError);
  return attempts;
};

const fault = (code: string) => Object.assign(new Error('socket'), { code });

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
  it.concurrent.each(CONNECTION_FAULTS)('is attempted three times on %s, which callers see as SERVICE_UNAVAILABLE', async (code) => {
    expect(await attemptsOf(fault(code))).toBe(3);
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
    expect(await attemptsOf(failure)).toBe(attempts);
    expect(fromWire(ConnectError.from(failure)).code).toBe(code);
  });

  it('is not retried after its caller has canceled it', async () => {
    expect(await attemptsOf(fault('ECONNRESET'), { signal: AbortSignal.abort() })).toBe(1);
  });
});

describe('a call that is not retryable', () => {
  it.each([
    ['a method without an idempotency level', { method: VerificationService.method.sendEmailCode }],
    ['a stream', { stream: true }],
  ])('is attempted once: %s', async (_what, request) => {
    expect(await attemptsOf(fault('ECONNREFUSED'), request)).toBe(1);
  });
});
