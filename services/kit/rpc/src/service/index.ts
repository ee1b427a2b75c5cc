export { type Base, type ProcessConfig, type ServiceOverrides, startProcess } from './start-process.ts';
export { UnavailableDependencyError } from './unavailable-dependency.ts';
