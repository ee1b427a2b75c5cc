import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '@florin/proto/common/v1/error_info';
import { CodedError, ERRORS, type ErrorCode, fromWire, isErrorCode, PROTOCOL_CODES, toCodedError, toWire } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { mongo, Error as mongooseErrors } from 'mongoose';
import * as redis from 'redis';
import { describe, expect, inject, it } from 'vitest';
import { openRedis } from '../redis/index.ts';
import { openStore } from './index.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

const sentWith = (code: ErrorCode) =>
  toWire(new CodedError(code, { message: 'details', metadata: { retryAfterSeconds: '3' }, cause: new Error('inside') }));

describe('error codes', () => {
  it.each(CODES)('%s has an error status and is sent with its details', (code) => {
    expect(code).toMatch(/^[A-Z][A-Z_]+$/);
    expect(isErrorCode(code)).toBe(true);
    expect(ERRORS[code].http).toBeGreaterThanOrEqual(400);
    expect(ERRORS[code].http).toBeLessThan(600);
    const wire = sentWith(code);
    expect(wire.code).toBe(ERRORS[code].grpc);
    expect(wire.rawMessage).toBe('details');
    expect(wire.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: code, domain: 'florin' }]);
  });

  it.each(CODES.filter((code) => !PROTOCOL_CODES.has(code)))('%s is received as it was sent', (code) => {
    expect(fromWire(sentWith(code))).toMatchObject({ code, message: 'details', metadata: { retryAfterSeconds: '3' } });
  });

  it.each([...PROTOCOL_CODES])('%s is a fault of the process that called, and received as INTERNAL_ERROR', (code) => {
    expect(fromWire(sentWith(code)).code).toBe('INTERNAL_ERROR');
  });

  it('include no other text', () => {
    for (const text of ['', 'toString', '__proto__', 'NOPE', 'not_found']) expect(isErrorCode(text)).toBe(false);
  });
});

describe('fromWire', () => {
  const detailed = (reason: string, domain: string) =>
    new ConnectError('x', Code.NotFound, undefined, [{ desc: ErrorInfoSchema, value: { reason, domain } }]);

  it.each([
    ['a deadline', new ConnectError('x', Code.DeadlineExceeded), 'UPSTREAM_TIMEOUT'],
    ['unavailable', new ConnectError('x', Code.Unavailable), 'SERVICE_UNAVAILABLE'],
    ['canceled', new ConnectError('x', Code.Canceled), 'SERVICE_UNAVAILABLE'],
    ['internal', new ConnectError('x', Code.Internal), 'INTERNAL_ERROR'],
    ['a status without the platform’s detail', new ConnectError('secret text', Code.NotFound), 'INTERNAL_ERROR'],
    ['an unknown reason', detailed('BRAND_NEW', 'florin'), 'INTERNAL_ERROR'],
    ['a reason of another domain', detailed('CARD_NOT_FOUND', 'example.com'), 'INTERNAL_ERROR'],
  ])('decodes %s', (_what, error, code) => {
    const coded = fromWire(error);
    expect(coded.code).toBe(code);
    expect(coded.message).toBe(code);
    expect(coded.cause).toBe(error);
  });
});

describe('toCodedError', () => {
  const server = (code: number) => new mongo.MongoServerError({ message: 'x', code });
  /** An error of a bulk write, as the driver makes it of the cause. */
  const inBulk = (cause: ConstructorParameters<typeof mongo.MongoBulkWriteError>[0]) =>
    new mongo.MongoBulkWriteError(cause, {} as mongo.BulkWriteResult);

  it.each<[string, unknown, ErrorCode]>([
    ['FerretDB without its PostgreSQL', server(1), 'SERVICE_UNAVAILABLE'],
    [
      'FerretDB without its PostgreSQL in a bulk write',
      new mongo.MongoBulkWriteError({ message: 'x', code: 1, writeErrors: [] }, {} as mongo.BulkWriteResult),
      'SERVICE_UNAVAILABLE',
    ],
    ['a connection lost during a bulk write', inBulk(new mongo.MongoNetworkError('x')), 'SERVICE_UNAVAILABLE'],
    ['no primary for a bulk write', inBulk(new mongo.MongoServerSelectionError('x', {} as never)), 'SERVICE_UNAVAILABLE'],
    ['a primary that stepped down in a bulk write', inBulk(server(10_107)), 'SERVICE_UNAVAILABLE'],
    ['a bug during a bulk write', inBulk(new TypeError('x') as never), 'INTERNAL_ERROR'],
    ['a duplicate key in a bulk write', inBulk({ message: 'x', code: 11_000, writeErrors: [] }), 'INTERNAL_ERROR'],
    ['a read that took too long', server(50), 'SERVICE_UNAVAILABLE'],
    ['a primary that stepped down', server(10_107), 'SERVICE_UNAVAILABLE'],
    ['a server that shuts down', server(91), 'SERVICE_UNAVAILABLE'],
    ['MongoDB with a full disk', server(14_031), 'SERVICE_UNAVAILABLE'],
    [
      'FerretDB with a full disk',
      new mongo.MongoServerError({ message: 'could not extend file "base/5/19796": No space left on device', code: 4293 }),
      'SERVICE_UNAVAILABLE',
    ],
    ['FerretDB that ended a deadlock', server(16_908_292), 'SERVICE_UNAVAILABLE'],
    ['a duplicate key', server(11_000), 'INTERNAL_ERROR'],
    ['a bad query', server(2), 'INTERNAL_ERROR'],
    ['a lost connection', new mongo.MongoNetworkError('x'), 'SERVICE_UNAVAILABLE'],
    ['a network timeout', new mongo.MongoNetworkTimeoutError('x'), 'SERVICE_UNAVAILABLE'],
    ['a closed client', new mongo.MongoClientClosedError(), 'SERVICE_UNAVAILABLE'],
    ['a schema validation error', new mongooseErrors.ValidationError(), 'INTERNAL_ERROR'],
    ['Redis closed', new redis.ClientClosedError(), 'SERVICE_UNAVAILABLE'],
    ['Redis offline', new redis.ClientOfflineError(), 'SERVICE_UNAVAILABLE'],
    ['a lost connection to Redis', new redis.SocketClosedUnexpectedlyError(), 'SERVICE_UNAVAILABLE'],
    ['Redis too slow', new redis.TimeoutError(), 'SERVICE_UNAVAILABLE'],
    ['Redis loading its data set', new redis.SimpleError('LOADING Redis is loading the dataset in memory'), 'SERVICE_UNAVAILABLE'],
    ['a replica of Redis', new redis.SimpleError("READONLY You can't write against a read only replica."), 'SERVICE_UNAVAILABLE'],
    ['a wrong command to Redis', new redis.SimpleError('ERR unknown command'), 'INTERNAL_ERROR'],
    ['a refused connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'SERVICE_UNAVAILABLE'],
    ['a reset connection', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'SERVICE_UNAVAILABLE'],
    ['an expired wait', AbortSignal.abort(new DOMException('x', 'TimeoutError')).reason, 'SERVICE_UNAVAILABLE'],
    ['a bug', new TypeError('x is not a function'), 'INTERNAL_ERROR'],
    ['a thrown string', 'text', 'INTERNAL_ERROR'],
    ['undefined', undefined, 'INTERNAL_ERROR'],
    ['null', null, 'INTERNAL_ERROR'],
    ['an object without a prototype', Object.create(null), 'INTERNAL_ERROR'],
  ])('classifies %s', (_what, thrown, code) => {
    const coded = toCodedError(thrown);
    expect(coded.code).toBe(code);
    expect(coded.message).toBe(code);
    expect(coded.cause).toBe(thrown);
  });

  it('returns coded errors unchanged', () => {
    const error = new CodedError('CARD_NOT_FOUND');
    expect(toCodedError(error)).toBe(error);
  });

  it('classifies an unreachable MongoDB', async () => {
    const options = { uri: 'mongodb://127.0.0.1:1/', database: 'x', poolSize: 1, logger: quietLogger, connectTimeoutMs: 200 };
    const store = await openStore(options).catch((error: unknown) => error);
    expect(toCodedError(store).code).toBe('SERVICE_UNAVAILABLE');
  });

  it('classifies a closed Redis client', async () => {
    const client = await openRedis(inject('redisUrl'), quietLogger);
    client.destroy();
    const error = await client.get('x').catch((thrown: unknown) => thrown);
    expect(toCodedError(error).code).toBe('SERVICE_UNAVAILABLE');
  });
});
