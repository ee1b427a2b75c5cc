export { type RetentionRule, startRetention } from './retention.ts';
