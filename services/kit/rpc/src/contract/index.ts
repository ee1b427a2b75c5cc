export { type Policy, type Rules, rulesOf } from './method-rules.ts';
export { requestJudge } from './request-judge.ts';
export { requireFields } from './require-fields.ts';
export { stated } from './stated.ts';
export { createWords, wordsOf } from './words.ts';
