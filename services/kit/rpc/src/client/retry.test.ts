import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { CardService } from '@florin/proto/card/v1/card_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { describe, expect, it } from 'vitest';
import { CodedError, toWire } from '../errors/index.ts';
import { retryIdempotent } from './retry.ts';

type Request = Parameters<ReturnType<Interceptor>>[0];

/** How often a call is tried that always fails so. */
const triesOf = async (
  failure: unknown,
  { method = CardService.method.getCard as object, stream = false, signal = new AbortController().signal } = {},
) => {
  let tries = 0;
  const call = retryIdempotent(async () => {
    tries += 1;
    throw failure;
  });
  await expect(call({ method, stream, signal } as unknown as Request)).rejects.toBeInstanceOf(ConnectError);
  return tries;
};

const fault = (code: string) => Object.assign(new Error('socket'), { code });

describe('a call that may be repeated', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
  ])('is tried three times when its connection fails: %s', async (code) => {
    expect(await triesOf(fault(code))).toBe(3);
  });

  it('is tried three times when something in between says that the service is away', async () => {
    expect(await triesOf(new ConnectError('away', Code.Unavailable))).toBe(3);
  });

  it.each([
    ['the service says that it is away', toWire(new CodedError('SERVICE_UNAVAILABLE'))],
    ['the service refuses', toWire(new CodedError('CARD_NOT_FOUND'))],
    ['the deadline passes', new ConnectError('late', Code.DeadlineExceeded)],
    ['it is given up', new ConnectError('gone', Code.Canceled)],
    ['the fault is no connection’s', fault('ERR_INVALID_URL')],
    ['the answer cannot be read', new TypeError('no bytes')],
  ])('is tried once when %s', async (_what, failure) => {
    expect(await triesOf(failure)).toBe(1);
  });

  it('is not repeated for who has given it up', async () => {
    expect(await triesOf(fault('ECONNRESET'), { signal: AbortSignal.abort() })).toBe(1);
  });
});

describe('a call that may not be repeated', () => {
  it.each([
    ['of a method without an idempotency level', { method: VerificationService.method.sendEmailCode }],
    ['that answers a stream', { stream: true }],
  ])('is tried once: one %s', async (_what, request) => {
    expect(await triesOf(fault('ECONNREFUSED'), request)).toBe(1);
  });
});
