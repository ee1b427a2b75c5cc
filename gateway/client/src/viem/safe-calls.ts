import { bytes, hexOf, isAddress, word } from './abi.ts';
import type { SafeCall } from './safe-transaction.ts';

/** Canonical deployments of Safe 1.4.1 (github.com/safe-global/safe-deployments), and the factory of Zodiac's modules. All in lower case. */
export const PROXY_FACTORY = '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67';
export const SINGLETON = '0x29fcb43b46531bca003ddc8fcb67ffe91900c762';
const FALLBACK_HANDLER = '0xfd0732dc9e303f09fcef3a7388ad10a83459ec99';
export const MODULE_PROXY_FACTORY = '0x000000000000addb49795b0f9ba5bc298cdda236';
/** MultiSendCallOnly. */
const MULTI_SEND_ADDRESS = '0x9641d764fc13c8b624c04430c7356c1c7c8102e2';

/** Selectors, by the signatures of their functions. */
const SETUP = 'b63e800d'; // setup(address[],uint256,address,bytes,address,address,uint256,address)
const MODULE_SETUP = 'a4f9edbf'; // setUp(bytes)
const CREATE_PROXY = '1688f0b9'; // createProxyWithNonce(address,bytes,uint256)
const DEPLOY_MODULE = 'f1ab873c'; // deployModule(address,bytes,uint256)
const MULTI_SEND = '8d80ff0a'; // multiSend(bytes)
export const ENABLE_MODULE = '610b5925'; // enableModule(address), of a Safe and of a module
export const DISABLE_MODULE = 'e009cfde'; // disableModule(address,address)
export const REQUEST = '468721a7'; // execTransactionFromModule(address,uint256,bytes,uint8), of the Delay module
const SET_LIMIT = 'eb9e30e0'; // setLimit(address,address,uint96), of the Collector
export const APPROVE = '095ea7b3'; // approve(address,uint256)
const ADD_OWNER = '0d582f13'; // addOwnerWithThreshold(address,uint256)
const EXECUTE = '6a761202'; // execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)

const ZERO = word('0');

/** Moves spent tokens from Safes to the treasury that they have named, up to their limits. */
export const COLLECTOR = '0xa69c5eb2cf6624c3f375b879481993a017d95f0e';

/** How a Delay module is set up. */
export type DelaySettings = {
  /** Seconds between a request and its execution, and after that until it expires. */
  cooldownSeconds: number;
  expirationSeconds: number;
  /** Address of its code. */
  mastercopy: string;
};

/** How the Safe of an account is set up. */
export type SafePlan = {
  chainId: number;
  accountId: string;
  /** The user's wallet, in lower case, as the other addresses. */
  owner: string;
  /** The wallet that the Safe was made for; absent unless a recovery has exchanged it. */
  firstOwner?: string;
  /** The second owner: both must sign. */
  platform: string;
  safe: string;
  /** The Delay module, which the owner alone may use. */
  module: string;
  delay: DelaySettings;
  /** The limits for collecting what cards have spent. Absent: nothing is collected. */
  collection?: {
    /** Receives it. */
    treasury: string;
    /** Most of each token in a day, in its smallest unit, as a decimal string. */
    limits: readonly { token: string; perDay: string }[];
  };
  /**
   * The platform's signature over the set-up. Absent of a Safe that the wallet owns alone until it is set up: then the wallet's signature is all that the
   * set-up takes.
   */
  setUpSignature?: string;
};

/** Limits of a day in the smallest unit: the Collector counts up to 2^96. */
export const DAY_LIMIT = /^(?:0|[1-9][0-9]{0,28})$/;

/** A call of a contract. */
export type Call = { to: string; data: string };

/** The call that makes a fresh proxy a Safe whose owners must all sign: no module, no guard. Without `0x`, as the other parts of call data. */
export const setupData = (owners: readonly string[]): string => {
  const count = word(hexOf(owners.length));
  const list = [count, ...owners.map(word)];
  const head = [word(hexOf(8 * 32)), count, ZERO, word(hexOf((8 + list.length) * 32)), word(FALLBACK_HANDLER), ZERO, ZERO, ZERO];
  return [SETUP, ...head, ...list, ZERO].join('');
};

/** The call that makes a fresh proxy the Delay module of a Safe, to which it belongs and on which it acts. */
export const moduleSetupData = (safe: string, { cooldownSeconds, expirationSeconds }: DelaySettings): string =>
  MODULE_SETUP + word(hexOf(32)) + bytes([safe, safe, safe, hexOf(cooldownSeconds), hexOf(expirationSeconds)].map(word).join(''));

/** An account's salt. */
export const saltOfAccount = (accountId: string): string => accountId.replaceAll('-', '');

const creation = (selector: string, code: string, setup: string, salt: string): string =>
  `0x${selector}${word(code)}${word(hexOf(96))}${word(salt)}${bytes(setup)}`;

export const deploySafe = ({ accountId, owner, platform, setUpSignature }: SafePlan): Call => {
  const owners = setUpSignature === undefined ? [owner] : [owner, platform];
  return { to: PROXY_FACTORY, data: creation(CREATE_PROXY, SINGLETON, setupData(owners), saltOfAccount(accountId)) };
};

export const deployModule = ({ safe, delay }: SafePlan): Call => ({
  to: MODULE_PROXY_FACTORY,
  data: creation(DEPLOY_MODULE, delay.mastercopy, moduleSetupData(safe, delay), '0'),
});

/** One call of a batch, whose parts have no separators: a longer address would be further calls. @param value in hexadecimal */
const packed = ({ to, data, value = '0' }: Call & { value?: string }): string => {
  const [address, digits] = [to.toLowerCase(), data.replace(/^0x/, '')];
  if (!isAddress(address)) throw new Error('a call needs an address');
  return `00${address.slice(2)}${word(value)}${word(hexOf(digits.length / 2))}${digits}`;
};

/** Several calls of a Safe in turn, all or nothing. */
export const batchOf = (calls: readonly (Call & { value?: string })[]): SafeCall => ({
  to: MULTI_SEND_ADDRESS,
  data: `0x${MULTI_SEND}${word(hexOf(32))}${bytes(calls.map(packed).join(''))}`,
  operation: 1,
});

const collectionCalls = ({ treasury, limits }: NonNullable<SafePlan['collection']>): Call[] =>
  limits.flatMap(({ token, perDay }) => [
    { to: COLLECTOR, data: SET_LIMIT + word(treasury) + word(token) + word(BigInt(perDay).toString(16)) },
    { to: token, data: APPROVE + word(COLLECTOR) + 'f'.repeat(64) },
  ]);

/**
 * The set-up of a Safe, its first transaction: the module is enabled, its only user is the owner, the Collector may take up to the limits, and the platform is the second
 * owner.
 */
export const setUpCall = ({ safe, owner, platform, module, collection, setUpSignature }: SafePlan): SafeCall =>
  batchOf([
    { to: safe, data: ENABLE_MODULE + word(module) },
    { to: module, data: ENABLE_MODULE + word(owner) },
    ...(collection === undefined ? [] : collectionCalls(collection)),
    ...(setUpSignature === undefined ? [{ to: safe, data: ADD_OWNER + word(platform) + word('2') }] : []),
  ]);

const SIGNATURE_DIGITS = 130;

/** The owner's signature in a transaction that the owner's wallet sends itself: none is needed then. */
const bySender = (owner: string): string => `${word(owner)}${ZERO}01`;

/** A transaction of a Safe, which one of its owners sends. @param other signature of the other owner as a Safe reads it, when two must sign */
export const execute = (
  safe: string,
  { to, data, operation }: SafeCall,
  sender: string,
  other?: { owner: string; signature: string },
): Call => {
  const heads = [{ owner: sender, head: bySender(sender) }];
  let tail = '';
  if (other !== undefined) {
    const digits = other.signature.slice(2);
    tail = digits.slice(SIGNATURE_DIGITS);
    // That of a contract stands behind the heads of both.
    const head = tail === '' ? digits : `${word(other.owner)}${word(hexOf(SIGNATURE_DIGITS))}00`;
    heads.push({ owner: other.owner, head });
  }
  heads.sort((a, b) => (a.owner < b.owner ? -1 : 1));
  const signatures = heads.map(({ head }) => head).join('') + tail;
  const payload = bytes(data.slice(2));
  const words = [to, '0', hexOf(10 * 32), String(operation), '0', '0', '0', '0', '0', hexOf(10 * 32 + payload.length / 2)].map(word);
  return { to: safe, data: `0x${EXECUTE}${words.join('')}${payload}${bytes(signatures)}` };
};
