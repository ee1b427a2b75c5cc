export { createHealthCheck, type HealthChecks } from './health-check.ts';
