import { describe, expect, it } from 'vitest';
import { createLogger, type Logger } from './logger.ts';

const EMAIL = 'a@b.example';

const capture = (use: (logger: Logger) => void, level = 'info') => {
  const lines: string[] = [];
  use(createLogger('test', level, { write: (line) => lines.push(line) }));
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe('logger', () => {
  it('writes JSON lines with name, level and time', () => {
    const { lines } = capture((logger) => logger.info({ rpc: 'x', ms: 1.5 }, 'rpc'));
    expect(lines).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), name: 'test', rpc: 'x', ms: 1.5, msg: 'rpc' }]);
  });

  it('writes nothing below its level', () => {
    expect(capture((logger) => logger.info('x'), 'warn').lines).toEqual([]);
    expect(capture((logger) => logger.fatal('x'), 'silent').lines).toEqual([]);
  });

  it.each<[string, (logger: Logger) => void]>([
    ['in the message', (logger) => logger.info(`mail to ${EMAIL}`)],
    ['in a field', (logger) => logger.info({ note: `mail to ${EMAIL}` }, 'x')],
    ['under a secret key', (logger) => logger.info({ email: EMAIL }, 'x')],
    ['in a value formatted into the message', (logger) => logger.info('to %s', EMAIL)],
    ['in an object formatted into the message', (logger) => logger.info('to %j', { note: EMAIL })],
    ['in an error', (logger) => logger.error({ err: new Error(EMAIL) }, 'x')],
    ['in an error logged without a message', (logger) => logger.error({ err: new Error(EMAIL) })],
    ['in a bare error', (logger) => logger.error(new Error(EMAIL))],
    ['in a bare error with a message', (logger) => logger.error(new Error(EMAIL), 'failed')],
    ['in the cause of an error', (logger) => logger.error({ err: new Error('x', { cause: new Error(EMAIL) }) }, 'x')],
    ['in the bindings of a child logger', (logger) => logger.child({ who: EMAIL, token: 'hunter2' }).info('x')],
  ])('redacts secrets %s', (_where, use) => {
    const { text, lines } = capture(use);
    expect(lines).toHaveLength(1);
    expect(text).not.toContain(EMAIL);
    expect(text).not.toContain('hunter2');
  });

  it('keeps request id, code and stack of a failure', () => {
    const { lines } = capture((logger) =>
      logger
        .child({ requestId: 'r-1' })
        .error({ error: 'CARD_NOT_FOUND', err: Object.assign(new Error('why'), { code: 'ECONNREFUSED' }) }, 'rpc failed'),
    );
    expect(lines[0]).toMatchObject({
      requestId: 'r-1',
      error: 'CARD_NOT_FOUND',
      err: { type: 'Error', message: 'why', code: 'ECONNREFUSED', stack: expect.stringContaining('logger.test.ts') },
      msg: 'rpc failed',
    });
  });
});
