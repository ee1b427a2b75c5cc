import type { Client } from '../create-client.ts';
import type { Account, BackupKey, RecoveryChallenge, SafeTypedData } from '../generated/schemas.ts';
import { bytes, hexOf, word } from './abi.ts';
import { expectLines, UnexpectedTextError } from './expected-text.ts';
import { DELAY_MODULE, delayModuleOf, safeOf } from './safe-addresses.ts';
import { batchOf, type Call, type DelaySettings, DISABLE_MODULE, ENABLE_MODULE, REQUEST, type SafePlan } from './safe-calls.ts';
import { expectTransaction, type SafeCall } from './safe-transaction.ts';
import { SENTINEL } from './safe-views.ts';
import { type ExpectedSetUp, expectTerms, planOf } from './set-up.ts';
import { addressOf, signTyped, type Wallet } from './wallet.ts';

/** Selectors, by the signatures of their functions. */
const SWAP_OWNER = 'e318b52b'; // swapOwner(address,address,address)
const SET_TX_NONCE = '46ba2307'; // setTxNonce(uint256)

const enable = (to: string, module: string): Call => ({ to, data: ENABLE_MODULE + word(module) });

/** Puts the exit of a user in the place of another one. @param before the module that was enabled after the former one */
const replaceExit = (safe: string, before: string, former: string, next: string, user: string): Call[] => [
  { to: safe, data: DISABLE_MODULE + word(before) + word(former) },
  enable(safe, next),
  enable(next, user),
];

type Parties = Pick<SafePlan, 'accountId' | 'safe' | 'owner' | 'platform' | 'delay'>;

/** The module in which an exchange of the owner waits. */
const recoveryModuleOf = (safe: string, { cooldownSeconds, expirationSeconds }: BackupKey, mastercopy: string): string =>
  delayModuleOf(safe, { cooldownSeconds, expirationSeconds, mastercopy });

/** The naming: the recovery's module is enabled for the Safe of backup key and platform, and the exit takes as much longer as an exchange waits. */
const namingCall = ({ accountId, safe, owner, platform, delay }: Parties, backup: BackupKey, exit: DelaySettings): SafeCall => {
  const module = recoveryModuleOf(safe, backup, delay.mastercopy);
  return batchOf([
    enable(safe, module),
    enable(module, safeOf(accountId, [backup.key.toLowerCase(), platform])),
    ...replaceExit(safe, module, delayModuleOf(safe, delay), delayModuleOf(safe, exit), owner),
  ]);
};

/** @param proven the wallet of the key that the transaction gives rights to, which signs it first */
const submit = async (
  client: Client,
  wallet: Wallet,
  { transactionId, typedData }: { transactionId: string; typedData: SafeTypedData },
  proven?: Wallet,
) => {
  const proof = proven === undefined ? {} : { proof: await signTyped(proven, typedData) };
  await client.userAccount.submitRecoveryTransaction({ transactionId, signature: await signTyped(wallet, typedData), ...proof });
};

export type PreparedBackupKey = {
  /** Seconds that leaving without the platform takes from then on. */
  exitSeconds: number;
  /** Seconds that an exchange of the owner waits, in which it can be stopped. */
  recoverySeconds: number;
  /**
   * Has the wallet of the backup key sign, which proves that it can, and the owner's wallet, and submits it.
   * @throws UnexpectedTextError when the first one is another key; FlorinError, and what the wallets throw
   */
  submit: (owner: Wallet, backup: Wallet) => Promise<void>;
};

/**
 * Gets the transaction that names a backup key, and checks that it is that, and nothing else.
 * @param owner address of the wallet that owns the Safe
 * @param backupKey address of a plain wallet, which exchanges a lost owner together with the platform
 * @throws UnexpectedTextError, FlorinError
 */
export const prepareBackupKey = async (
  client: Client,
  owner: string,
  backupKey: string,
  expected: ExpectedSetUp = {},
): Promise<PreparedBackupKey> => {
  const account = await client.userAccount.getAccount();
  const plan = await planOf(account, owner, expected);
  const challenge = await client.userAccount.createBackupKeyChallenge({ backupKey });
  const { backup } = challenge;
  if (backup === undefined) throw new UnexpectedTextError('a backup key', 'none');
  expectLines(backup.key.toLowerCase(), [backupKey.toLowerCase()]);
  const exit = { ...plan.delay, cooldownSeconds: plan.delay.cooldownSeconds + backup.cooldownSeconds };
  expectTerms({ platformOwner: plan.platform, ...exit }, owner, expected);
  expectTerms({ platformOwner: plan.platform, ...backup }, owner, expected);
  expectTransaction(challenge.typedData, plan, namingCall(plan, backup, exit));
  return {
    exitSeconds: exit.cooldownSeconds,
    recoverySeconds: backup.cooldownSeconds,
    submit: async (wallet, proven) => {
      expectLines(addressOf(proven).toLowerCase(), [backupKey.toLowerCase()]);
      await submit(client, wallet, challenge, proven);
    },
  };
};

/** The facts of an account whose owner can be exchanged. */
const withBackup = ({ id: accountId, safeAddress, chain, deployment }: Account, delayMastercopy: string | undefined) => {
  if (deployment?.backup === undefined) throw new UnexpectedTextError('an account with a backup key', `Account: ${accountId}`);
  const { backup, cooldownSeconds, expirationSeconds } = deployment;
  const [owner, platform, first, safe] = [
    deployment.owner,
    deployment.platformOwner,
    deployment.firstOwner ?? deployment.owner,
    safeAddress,
  ].map((one) => one.toLowerCase()) as [string, string, string, string];
  const isShared = safeOf(accountId, [first, platform]) === safe;
  if (!isShared) expectLines(`Safe: ${safe}`, [`Safe: ${safeOf(accountId, [first])}`]);
  const delay = { cooldownSeconds, expirationSeconds, mastercopy: delayMastercopy ?? DELAY_MODULE };
  const module = recoveryModuleOf(safe, backup, delay.mastercopy);
  return { chainId: Number(chain.id), accountId, safe, owner, platform, delay, backup, module, isShared };
};

/**
 * The request for an exchange, a transaction of the Safe of backup key and platform: the module has the Safe swap its owner, and the exit becomes the new owner's, with
 * another expiration, so that it is another module.
 */
const requestCall = ({ safe, owner, platform, delay, module, isShared }: ReturnType<typeof withBackup>, newOwner: string): SafeCall => {
  const next = delayModuleOf(safe, { ...delay, expirationSeconds: delay.expirationSeconds + 1 });
  const { to, data, operation } = batchOf([
    { to: safe, data: SWAP_OWNER + word(isShared ? SENTINEL : platform) + word(owner) + word(newOwner) },
    ...replaceExit(safe, SENTINEL, delayModuleOf(safe, delay), next, newOwner),
  ]);
  const words = [to, '0', hexOf(4 * 32), String(operation)].map(word).join('');
  return { to: module, data: `0x${REQUEST}${words}${bytes(data.slice(2))}`, operation: 0 };
};

/** Checks whose signature a step takes. @throws UnexpectedTextError */
const expectSigner = (wallet: Wallet, { signer }: RecoveryChallenge, key: string): void =>
  expectLines([signer, addressOf(wallet)].join('\n').toLowerCase(), [key, key]);

/**
 * Has the backup key request that a wallet becomes the owner of the caller's Safe. The key is not asked unless the transaction is that, and nothing else.
 * @param backup the wallet of the backup key
 * @param newOwner the wallet that signed in, which signs the same request first: that proves that it can
 * @throws UnexpectedTextError, FlorinError, and what the wallets throw
 */
export const requestRecovery = async (
  client: Client,
  backup: Wallet,
  newOwner: Wallet,
  { delayMastercopy }: Pick<ExpectedSetUp, 'delayMastercopy'> = {},
): Promise<void> => {
  const account = withBackup(await client.userAccount.getAccount(), delayMastercopy);
  const challenge = await client.userAccount.createRecoveryChallenge();
  const { chainId, accountId, platform } = account;
  const key = account.backup.key.toLowerCase();
  expectSigner(backup, challenge, key);
  expectTransaction(challenge.typedData, { chainId, safe: safeOf(accountId, [key, platform]) }, requestCall(account, addressOf(newOwner)));
  await submit(client, backup, challenge, newOwner);
};

/**
 * Has the owner stop the exchange that waits. The wallet is not asked unless the transaction is that, and nothing else.
 * @param owner the wallet that still owns the Safe
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const stopRecovery = async (
  client: Client,
  owner: Wallet,
  { delayMastercopy }: Pick<ExpectedSetUp, 'delayMastercopy'> = {},
): Promise<void> => {
  const account = withBackup(await client.userAccount.getAccount(), delayMastercopy);
  const challenge = await client.userAccount.createCancellationChallenge();
  expectSigner(owner, challenge, account.owner);
  // The number in the module's queue up to which requests are skipped: any that the platform states does nothing else.
  const upTo = challenge.typedData.message.data.slice(-64);
  expectTransaction(challenge.typedData, account, { to: account.module, data: `0x${SET_TX_NONCE}${upTo}`, operation: 0 });
  await submit(client, owner, challenge);
};
