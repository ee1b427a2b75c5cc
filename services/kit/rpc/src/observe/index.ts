export { createCallLogger, createLogger, type Logger } from './logger.ts';
export { passesLuhn, redact, redactText } from './redact.ts';
