import { type DestinationStream, type Logger, pino } from 'pino';
import { redact } from './redact.ts';

export type { Logger } from 'pino';

/**
 * Structured JSON logs on stdout. Everything that is logged passes the redaction first, message text included.
 * @param destination where lines go instead, for tests
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
      // The hook below has made plain objects of errors already.
      serializers: { err: (error: unknown) => error },
      hooks: {
        // Before pino sees them: it takes a message out of an error that comes without one, and prints objects into messages.
        logMethod(args, method) {
          const scrubbed = args.map((arg: unknown) => (arg instanceof Error ? { err: redact(arg) } : redact(arg)));
          method.apply(this, scrubbed as Parameters<typeof method>);
        },
      },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
  // pino has no hook for what children carry. Children inherit this from their parent.
  const { child } = logger;
  logger.child = function redactedChild(this: Logger, bindings: object, ...rest: []) {
    return child.call(this, redact(bindings) as object, ...rest);
  } as typeof logger.child;
  return logger;
};
