export { type CoalesceOptions, createCoalescer } from './coalesce.ts';
