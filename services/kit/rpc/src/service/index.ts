export { type Base, type ServiceOverrides, startProcess } from './start-process.ts';
