import type { Hex } from 'viem';
import { keccak256 } from 'viem/utils';
import { word } from './abi.ts';
import { type DelaySettings, MODULE_PROXY_FACTORY, moduleSetupData, PROXY_FACTORY, saltOfAccount, setupData } from './safe-calls.ts';

/**
 * Where the contracts of an account are. Every address commits to what is deployed there (EIP-1014), so an app that computes it needs nobody's word for it.
 */
/** Keccak-256 of the code that makes a proxy of Safe 1.4.1, with the L2 singleton as its argument. */
const PROXY_INIT_CODE_HASH = 'e298282cefe913ab5d282047161268a8222e4bd4ed106300c547894bbefd31ee';

/** Code of the Delay module 1.0.1 (Zodiac). */
export const DELAY_MODULE = '0xd54895B1121A2eE3f37b502F507631FA1331BED6';

const hash = (hex: string): string => keccak256(`0x${hex}`).slice(2);

/** The address of a contract that a factory makes. @param initCodeHash in lower case, without `0x` */
const create2 = (factory: string, salt: string, initCodeHash: string): Hex =>
  `0x${hash(`ff${factory.slice(2)}${salt}${initCodeHash}`).slice(24)}`;

/** A factory's salt covers the call that sets the new contract up. */
const saltOf = (setUpCall: string, nonce: string): string => hash(hash(setUpCall) + word(nonce));

/**
 * The Safe of an account. A Safe of anybody else cannot be at this address.
 * @param owners those that it has from birth: the wallet and the platform, or the wallet alone
 * @returns address in lower case
 */
export const safeOf = (accountId: string, owners: readonly string[]): Hex =>
  create2(PROXY_FACTORY, saltOf(setupData(owners), saltOfAccount(accountId)), PROXY_INIT_CODE_HASH);

/** A Safe's Delay module, which belongs to the Safe and acts on it. @returns address in lower case */
export const delayModuleOf = (safe: string, settings: DelaySettings): Hex => {
  const code = `602d8060093d393df3363d3d373d3d3d363d73${settings.mastercopy.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;
  return create2(MODULE_PROXY_FACTORY, saltOf(moduleSetupData(safe, settings), '0'), hash(code));
};
