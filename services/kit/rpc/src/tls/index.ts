export { peerNames } from './peer-names.ts';
export { createConnector, createPlatformFetch, type PlatformFetch } from './tls-client.ts';
export { openTls, type Tls, type TlsConfig, type TlsMaterial } from './tls-files.ts';
