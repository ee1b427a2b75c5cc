export { daysMs, type RetentionRule, reservationRule, startRetention } from './retention.ts';
