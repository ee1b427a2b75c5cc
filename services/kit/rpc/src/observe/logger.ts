import { type DestinationStream, type Logger, pino } from 'pino';
import { redact } from './redact.ts';

export type { Logger } from 'pino';

/**
 * Creates a logger that writes JSON lines to stdout. All logged values are redacted first, including message text.
 * @param destination receives the lines instead of stdout, for tests
 */
export const createLogger = (name: string, level: string, destination?: DestinationStream): Logger => {
  const logger = pino(
    {
      name,
      level,
      base: { name },
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
