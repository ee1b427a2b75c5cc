import { type DestinationStream, type Logger, pino } from 'pino';
import { type CallIds, currentCall, idsOf } from '../tracing/call-context.ts';
import { redact } from './redact.ts';

export type { Logger } from 'pino';

/** Loggers whose lines have the ids of a call anyway. */
const ofCalls = new WeakSet<object>();

/** Returns a logger for one call: its lines have the ids of the call, wherever they are written. */
export const createCallLogger = (logger: Logger, ids: CallIds): Logger => {
  const child = logger.child(ids);
  ofCalls.add(child);
  return child;
};

/** The ids of the call that the running code works for. */
const currentIds = (logger: object): object => {
  const call = ofCalls.has(logger) ? undefined : currentCall();
  return call === undefined ? {} : { ...idsOf(call) };
};

/**
 * Creates a logger that writes JSON lines to stdout. All logged values are redacted first, including message text.
 * Log lines of a call have the id of its request, and of its trace if there is one.
 * @param destination receives the lines instead of stdout, for tests
 */
export const createLogger = (name: string, level: string, destination?: DestinationStream): Logger => {
  const logger = pino(
    {
      name,
      level,
      base: { name },
      mixin: (_fields, _level, line) => currentIds(line),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
      },
      // The hook below has already converted errors to plain objects.
      serializers: { err: (error: unknown) => error },
      hooks: {
        // Redact before pino reads the arguments: it copies the message of a bare error and formats objects into the message.
        logMethod(args, method) {
          const scrubbed = args.map((arg: unknown) => (arg instanceof Error ? { err: redact(arg) } : redact(arg)));
          method.apply(this, scrubbed as Parameters<typeof method>);
        },
      },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
  // pino has no hook for the bindings of child loggers. Children inherit this override.
  const { child } = logger;
  logger.child = function redactedChild(this: Logger, bindings: object, ...rest: []) {
    return child.call(this, redact(bindings) as object, ...rest);
  } as typeof logger.child;
  return logger;
};
