export { ConfigError, type Environment, loadConfig, processEnvironment } from './environment.ts';
export { serviceShape } from './service.ts';
export { flag, httpUrl, json, masterKey, port, seconds, type VersionedKey, versionedKeys } from './values.ts';
