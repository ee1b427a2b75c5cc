export { type Core, partnersAt, type ServiceConfig, type ServiceParts, startService } from './start-service.ts';
export { traceStores } from './trace-stores.ts';
