export { findSigned, findSignedByWallet, type Signed } from './find-signed.ts';
