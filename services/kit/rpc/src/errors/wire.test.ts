import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { CodedError, fromWire, isAnswer, toWire } from './index.ts';

const fault = (code: string) => ConnectError.from(Object.assign(new Error('socket'), { code }));

describe('errors on the wire', () => {
  it('preserve code, message and metadata', () => {
    const sent = new CodedError('RATE_LIMITED', { message: 'slow down', metadata: { retryAfterSeconds: '30' } });
    expect(fromWire(toWire(sent))).toMatchObject({ code: 'RATE_LIMITED', message: 'slow down', metadata: { retryAfterSeconds: '30' } });
  });

  it.each([
    [new ConnectError('late', Code.DeadlineExceeded), 'UPSTREAM_TIMEOUT'],
    [new ConnectError('away', Code.Unavailable), 'SERVICE_UNAVAILABLE'],
    [fault('ECONNREFUSED'), 'SERVICE_UNAVAILABLE'],
    [fault('ECONNRESET'), 'SERVICE_UNAVAILABLE'],
    [fault('UND_ERR_SOCKET'), 'SERVICE_UNAVAILABLE'],
    [fault('UND_ERR_CONNECT_TIMEOUT'), 'SERVICE_UNAVAILABLE'],
    [fault('ERR_INVALID_URL'), 'INTERNAL_ERROR'],
    [new ConnectError('internal text', Code.Unknown), 'INTERNAL_ERROR'],
  ])('decode %s as %s', (error, code) => {
    const coded = fromWire(error);
    expect(coded.code).toBe(code);
    expect(coded.message).toBe(code);
  });

  it('distinguish errors of the service from failures to reach it', () => {
    expect(isAnswer(fromWire(toWire(new CodedError('SERVICE_UNAVAILABLE'))))).toBe(true);
    expect(isAnswer(fromWire(fault('ECONNREFUSED')))).toBe(false);
    expect(isAnswer(fromWire(new ConnectError('away', Code.Unavailable)))).toBe(false);
    expect(isAnswer(new CodedError('SERVICE_UNAVAILABLE'))).toBe(false);
  });
});
