/**
 * The contract between the back office's process and its pages: shapes of bodies and answers, and what each role allows. It runs in browsers too.
 */
export * from './dispute-stages.ts';
export * from './error.ts';
export { type Money, reasonBody, type TokenAmount } from './fields.ts';
export * from './order.ts';
export * from './person.ts';
export * from './program.ts';
export * from './queue-names.ts';
export * from './queues.ts';
export * from './roles.ts';
export * from './session.ts';
export * from './trend-days.ts';
