export { type Core, type ServiceConfig, type ServiceOverrides, type ServiceParts, startService } from './start-service.ts';
