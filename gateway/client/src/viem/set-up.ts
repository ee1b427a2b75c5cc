import type { Client } from '../create-client.ts';
import type { Account, Deployment } from '../generated/schemas.ts';
import { isAddress } from './abi.ts';
import type { ChainNode } from './chain-node.ts';
import { expectLines, UnexpectedTextError } from './expected-text.ts';
import { DELAY_MODULE, delayModuleOf, safeOf } from './safe-addresses.ts';
import { DAY_LIMIT, type SafePlan, setUpCall } from './safe-calls.ts';
import { expectTransaction, safeTypedData } from './safe-transaction.ts';
import { addressOf, signTyped, type Wallet } from './wallet.ts';

/** The set-up is the first transaction of a Safe. */
const FIRST = { safeTxGas: '0', nonce: '0' } as const;

/** The account's view of its set-up, which an app may know better. */
export type ExpectedSetUp = {
  /**
   * The wallet that the Safe was made for, once a recovery has exchanged it: `firstOwner` of the former plan, otherwise its `owner`. Default: the owner of today. It cannot be
   * read: whoever made a Safe may have left approvals in it that no view shows, so the platform's word for it is not taken.
   */
  firstOwner?: string;
  /** The second owner, of the platform. Default: the one that the account names. */
  platformOwner?: string;
  /** Address that receives what the platform may collect of what cards have spent. Default: the one that the account names. */
  treasury?: string;
  /** Code of the Delay module. Default: version 1.0.1. */
  delayMastercopy?: string;
  /** The longest time that somebody may have to wait to move their money without the platform. Default: 30 days. */
  maxCooldownSeconds?: number;
  /**
   * A node of the account's chain. Needed where only the chain can tell: where the platform's owner is a contract, such as a Safe, and once a backup key is named, because
   * neither the key nor an exchanged owner follows from the Safe's address.
   */
  node?: ChainNode;
};

const MAX_COOLDOWN_SECONDS = 30 * 24 * 3600;
/** The shortest time in which a request can be executed, which the module itself demands. */
const MIN_EXPIRATION_SECONDS = 60;

/** Checks what cannot be computed: who shares the Safe, and how the owner leaves without them. */
export const expectTerms = (
  { platformOwner, cooldownSeconds, expirationSeconds }: Pick<Deployment, 'platformOwner' | 'cooldownSeconds' | 'expirationSeconds'>,
  owner: string,
  { platformOwner: known, maxCooldownSeconds = MAX_COOLDOWN_SECONDS }: ExpectedSetUp,
): void => {
  const platform = platformOwner.toLowerCase();
  const isKnown = known === undefined ? isAddress(platform) : platform === known.toLowerCase();
  const isBounded = cooldownSeconds <= maxCooldownSeconds && expirationSeconds >= MIN_EXPIRATION_SECONDS;
  if (isKnown && isBounded && platform !== owner.toLowerCase()) return;
  throw new UnexpectedTextError(
    `Second owner: ${known ?? 'an address other than the wallet'}\nCooldown: ${maxCooldownSeconds} s at most\nExpiration: ${MIN_EXPIRATION_SECONDS} s at least`,
    `Second owner: ${platformOwner}\nCooldown: ${cooldownSeconds} s\nExpiration: ${expirationSeconds} s`,
  );
};

/** Returns the terms for collecting, in lower case. @throws UnexpectedTextError */
const collectionOf = ({ collection }: Deployment, treasury: string | undefined): Pick<SafePlan, 'collection'> => {
  if (collection === undefined) return {};
  const named = collection.treasury.toLowerCase();
  const limits = collection.limits.map(({ token, perDay }) => ({ token: token.toLowerCase(), perDay }));
  const isKnown = treasury === undefined ? isAddress(named) : named === treasury.toLowerCase();
  if (isKnown && limits.every(({ token, perDay }) => isAddress(token) && DAY_LIMIT.test(perDay)))
    return { collection: { treasury: named, limits } };
  throw new UnexpectedTextError(
    `Treasury: ${treasury ?? 'an address'}\nLimits: tokens and amounts`,
    `Treasury: ${named}\nLimits: ${JSON.stringify(limits)}`,
  );
};

/** Checks the platform's signature over the set-up: with it the owner needs nobody to set the Safe up. */
const expectSignature = async (plan: SafePlan, node: ChainNode | undefined): Promise<void> => {
  const { setUpSignature, platform } = plan;
  if (setUpSignature === undefined) return;
  const { setUpSigner } = await import('./set-up-signature.ts');
  const signer = await setUpSigner(safeTypedData(plan, setUpCall(plan), FIRST), setUpSignature, node).catch(() => undefined);
  expectLines(`Set-up signed by: ${signer}`, [`Set-up signed by: ${platform}`]);
};

/**
 * Computes how the Safe of an account is set up, from nothing that has to be believed: the Safe's address commits to its owners and the module's address to its settings, and
 * the platform has signed the set-up. Keep the plan before money is sent to the Safe: with it and the wallet the money can be moved without the platform.
 * @param owner address of the user's wallet
 * @throws UnexpectedTextError
 */
export const planOf = async (
  { id: accountId, safeAddress, chain, deployment }: Account,
  owner: string,
  expected: ExpectedSetUp = {},
): Promise<SafePlan> => {
  if (deployment === undefined) throw new UnexpectedTextError('an account with a deployment', `Account: ${accountId}`);
  expectTerms(deployment, owner, expected);
  const { setUpSignature, cooldownSeconds, expirationSeconds, backup } = deployment;
  if (backup !== undefined) expectTerms({ ...backup, platformOwner: deployment.platformOwner }, owner, expected);
  const [wallet, platform] = [owner.toLowerCase(), deployment.platformOwner.toLowerCase()];
  const first = expected.firstOwner?.toLowerCase() ?? wallet;
  const [alone, shared] = [safeOf(accountId, [first]), safeOf(accountId, [first, platform])];
  // Once a backup key is named, the set-up is past, whoever has signed it.
  const isShared = setUpSignature !== undefined || (backup !== undefined && shared === safeAddress.toLowerCase());
  const safe = isShared ? shared : alone;
  // Without a backup key nobody has exchanged the first owner.
  expectLines(`Owner: ${backup === undefined ? first : deployment.owner.toLowerCase()}`, [`Owner: ${wallet}`]);
  expectLines(`Safe: ${safeAddress.toLowerCase()}`, [`Safe: ${safe}`]);
  const delay = { cooldownSeconds, expirationSeconds, mastercopy: expected.delayMastercopy ?? DELAY_MODULE };
  const plan: SafePlan = {
    chainId: Number(chain.id),
    accountId,
    owner: wallet,
    ...(first === wallet ? {} : { firstOwner: first }),
    platform,
    safe,
    module: delayModuleOf(safe, delay),
    delay,
    ...collectionOf(deployment, expected.treasury),
    ...(setUpSignature === undefined ? {} : { setUpSignature }),
  };
  await expectSignature(plan, expected.node);
  if (backup !== undefined) {
    if (expected.node === undefined) throw new UnexpectedTextError('a node, to read who controls the Safe', `Backup key: ${backup.key}`);
    const { expectControl } = await import('./safe-control.ts');
    const module = delayModuleOf(safe, { ...backup, mastercopy: delay.mastercopy });
    await expectControl(expected.node, plan, { ...backup, module, pair: safeOf(accountId, [backup.key.toLowerCase(), platform]) });
  }
  return plan;
};

/**
 * Sets the user's Safe up. The wallet is not asked unless the Safe is the one of this account, this wallet and the platform, which its address proves, and the transaction
 * is the set-up that the client has computed by itself.
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const setUpAccount = async (client: Client, wallet: Wallet, expected: ExpectedSetUp = {}): Promise<Deployment> => {
  const account = await client.userAccount.getAccount();
  const plan = await planOf(account, addressOf(wallet), expected);
  const typedData = await client.userAccount.createSetUpChallenge();
  expectTransaction(typedData, plan, setUpCall(plan), FIRST);
  return client.userAccount.submitSetUp({ signature: await signTyped(wallet, typedData) });
};
