export { DataDirInUseError } from './data-dir.ts';
export { NoEngineError } from './engines/chain.ts';
export { type Engines, type EnginesOptions, startEngines } from './engines/start-engines.ts';
export { ensureKeys, type PlatformKeys } from './keys.ts';
export { type Platform, type PlatformOptions, startPlatform } from './platform.ts';
export { ProcessStartError } from './processes/supervised-process.ts';
export { CLIENT_SCOPES, CLIENTS, type Client } from './service-scopes.ts';
export type { ProcessInfo } from './supervisor.ts';
