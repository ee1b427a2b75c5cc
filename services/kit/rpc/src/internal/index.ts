export { type Readiness, serveInternal } from './serve-internal.ts';
