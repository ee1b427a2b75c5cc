import type { Hex } from 'viem';
import { keccak256 } from 'viem/utils';
import { bytes, hexOf, word } from './abi.ts';

/**
 * Where the contracts of an account are. Every address commits to what is deployed there (EIP-1014), so an app that computes it needs nobody's word for it.
 * Canonical deployments of Safe 1.4.1 (github.com/safe-global/safe-deployments) and of the Zodiac Delay module 1.0.1.
 */
const PROXY_FACTORY = '4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67';
/** Keccak-256 of the code that makes a proxy, with the L2 singleton as its argument. */
const PROXY_INIT_CODE_HASH = 'e298282cefe913ab5d282047161268a8222e4bd4ed106300c547894bbefd31ee';
const FALLBACK_HANDLER = 'fd0732dc9e303f09fcef3a7388ad10a83459ec99';
const MODULE_PROXY_FACTORY = '000000000000addb49795b0f9ba5bc298cdda236';

/** Code of the Delay module 1.0.1. */
export const DELAY_MODULE = '0xd54895B1121A2eE3f37b502F507631FA1331BED6';

/** `setup(address[],uint256,address,bytes,address,address,uint256,address)` of a Safe, and `setUp(bytes)` of a module. */
const SAFE_SETUP = 'b63e800d';
const MODULE_SETUP = 'a4f9edbf';

const ZERO = word('0');

const hash = (hex: string): string => keccak256(`0x${hex}`).slice(2);

/** The address of a contract that a factory makes. All in lower case, without `0x`. */
const create2 = (factory: string, salt: string, initCodeHash: string): Hex => `0x${hash(`ff${factory}${salt}${initCodeHash}`).slice(24)}`;

/** A factory's salt covers the call that sets the new contract up. */
const saltOf = (setUpCall: string, nonce: string): string => hash(hash(setUpCall) + word(nonce));

/** The call that makes a fresh proxy a Safe whose owners must all sign: no module, no guard. */
const setupCall = (owners: readonly string[]): string => {
  const count = word(hexOf(owners.length));
  const list = [count, ...owners.map(word)];
  const head = [word(hexOf(8 * 32)), count, ZERO, word(hexOf((8 + list.length) * 32)), word(FALLBACK_HANDLER), ZERO, ZERO, ZERO];
  return [SAFE_SETUP, ...head, ...list, ZERO].join('');
};

/** An account's salt. */
const saltNonceOf = (accountId: string): string => accountId.replaceAll('-', '');

/**
 * The Safe of an account. A Safe of anybody else cannot be at this address.
 * @param owners those that it has from birth: the wallet and the platform, or the wallet alone
 * @returns address in lower case
 */
export const safeOf = (accountId: string, owners: readonly string[]): Hex =>
  create2(PROXY_FACTORY, saltOf(setupCall(owners), saltNonceOf(accountId)), PROXY_INIT_CODE_HASH);

/** How a Delay module is set up. */
export type DelaySettings = {
  /** Seconds between a request and its execution, and after that until it expires. */
  cooldownSeconds: number;
  expirationSeconds: number;
  /** Address of its code. */
  mastercopy: string;
};

/** A Safe's Delay module, which belongs to the Safe and acts on it. @returns address in lower case */
export const delayModuleOf = (safe: string, { cooldownSeconds, expirationSeconds, mastercopy }: DelaySettings): Hex => {
  const settings = [safe, safe, safe, hexOf(cooldownSeconds), hexOf(expirationSeconds)].map(word).join('');
  const setUp = MODULE_SETUP + word(hexOf(32)) + bytes(settings);
  const code = `602d8060093d393df3363d3d373d3d3d363d73${mastercopy.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;
  return create2(MODULE_PROXY_FACTORY, saltOf(setUp, '0'), hash(code));
};
