import type { Client } from '../create-client.ts';
import type { Deployment } from '../generated/schemas.ts';
import { bytes, hexOf, word } from './abi.ts';
import { expectLines, UnexpectedTextError } from './expected-text.ts';
import { DELAY_MODULE, type DelaySettings, delayModuleOf, safeOf } from './safe-addresses.ts';
import { expectTransaction } from './safe-transaction.ts';
import { addressOf, signTyped, type Wallet } from './wallet.ts';

/** `multiSend(bytes)` of MultiSend 1.4.1, and where it is. */
const MULTI_SEND = { address: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2', selector: '0x8d80ff0a' } as const;

/** `enableModule(address)`, the same of a Safe and of a module, and `addOwnerWithThreshold(address,uint256)`. */
const ENABLE_MODULE = '610b5925';
const ADD_OWNER = '0d582f13';

/** One call of a batch: a plain call without value. */
const packed = (to: string, data: string): string => `00${to.slice(2).toLowerCase()}${word('0')}${word(hexOf(data.length / 2))}${data}`;

/** The call data of a set-up: the module is enabled, its only user is the owner, and the platform becomes the second owner, both of whom must sign. */
const setUpData = (safe: string, owner: string, platform: string, module: string): string => {
  const batch = [
    packed(safe, ENABLE_MODULE + word(module)),
    packed(module, ENABLE_MODULE + word(owner)),
    packed(safe, ADD_OWNER + word(platform) + word('2')),
  ].join('');
  return MULTI_SEND.selector + word(hexOf(32)) + bytes(batch);
};

/** The account's view of its set-up, which an app may know better. */
export type ExpectedSetUp = {
  /** The platform's key, which becomes the second owner. Default: the one that the account names. */
  platformOwner?: string;
  /** Code of the Delay module. Default: version 1.0.1. */
  delayMastercopy?: string;
  /** The longest time that somebody may have to wait to move their money without the platform. Default: 30 days. */
  maxCooldownSeconds?: number;
};

const MAX_COOLDOWN_SECONDS = 30 * 24 * 3600;
/** The shortest time in which a request can be executed, which the module itself demands. */
const MIN_EXPIRATION_SECONDS = 60;

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Checks what cannot be computed: who shares the Safe, and how the owner leaves without them. */
const expectTerms = (
  { platformOwner, cooldownSeconds, expirationSeconds }: Deployment,
  owner: string,
  { platformOwner: known, maxCooldownSeconds = MAX_COOLDOWN_SECONDS }: ExpectedSetUp,
): void => {
  const platform = platformOwner.toLowerCase();
  const isKnown = known === undefined ? ADDRESS.test(platform) : platform === known.toLowerCase();
  const isBounded = cooldownSeconds <= maxCooldownSeconds && expirationSeconds >= MIN_EXPIRATION_SECONDS;
  if (isKnown && isBounded && platform !== owner.toLowerCase()) return;
  throw new UnexpectedTextError(
    `Second owner: ${known ?? 'an address other than the wallet'}\nCooldown: ${maxCooldownSeconds} s at most\nExpiration: ${MIN_EXPIRATION_SECONDS} s at least`,
    `Second owner: ${platformOwner}\nCooldown: ${cooldownSeconds} s\nExpiration: ${expirationSeconds} s`,
  );
};

/**
 * Sets the user's Safe up. The wallet is not asked unless the Safe is the one of this account and this wallet, which its address proves, and the transaction is the
 * set-up that the client has computed by itself.
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const setUpAccount = async (client: Client, wallet: Wallet, expected: ExpectedSetUp = {}): Promise<Deployment> => {
  const typedData = await client.userAccount.createSetUpChallenge();
  const { id, safeAddress, chain, deployment } = await client.userAccount.getAccount();
  const owner = addressOf(wallet);
  const safe = safeOf(id, owner);
  expectLines(`Safe: ${safeAddress.toLowerCase()}`, [`Safe: ${safe}`]);
  if (deployment === undefined) throw new UnexpectedTextError('an account with a deployment', `Account: ${id}`);
  expectTerms(deployment, owner, expected);
  const settings: DelaySettings = { ...deployment, mastercopy: expected.delayMastercopy ?? DELAY_MODULE };
  const data = setUpData(safe, owner, deployment.platformOwner, delayModuleOf(safe, settings));
  expectTransaction(typedData, { safeAddress, chain }, { to: MULTI_SEND.address, data, operation: 1 });
  return client.userAccount.submitSetUp({ signature: await signTyped(wallet, typedData) });
};
