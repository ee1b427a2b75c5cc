export { type Base, type ProcessConfig, type ServiceOverrides, startProcess } from './start-process.ts';
