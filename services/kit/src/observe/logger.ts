import { type DestinationStream, type Logger, pino } from 'pino';
import { redact, redactText } from './redact.ts';

export type { Logger } from 'pino';

/**
 * Structured JSON logs on stdout. Everything that is logged passes the redaction first, message text included.
 * @param destination where lines go instead, for tests
 */
export const createLogger = (name: string, level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      name,
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      // The formatter above has made plain objects of errors already.
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(args, method) {
          const scrubbed = args.map((arg: unknown) => (typeof arg === 'string' ? redactText(arg) : arg));
          method.apply(this, scrubbed as Parameters<typeof method>);
        },
      },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
