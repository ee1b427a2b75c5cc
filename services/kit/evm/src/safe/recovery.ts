import { type Address, encodeFunctionData, encodePacked, type Hex, keccak256, parseAbi } from 'viem';
import { type DelaySettings, predictDelayModule } from './delay-module.ts';
import { SENTINEL } from './deployments.ts';
import { predictSafeAddress } from './safe-address.ts';
import { type ContractCall, encodeMultiSend } from './safe-call.ts';
import { encodeEnableModule, encodeSafeDeployment, isSharedFromBirth, type SafeParties } from './safe-set-up.ts';
import type { SafeTransaction } from './safe-transaction.ts';

const ABI = parseAbi([
  'function disableModule(address prevModule, address module)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function setTxNonce(uint256 nonce)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
  'function skipExpired()',
]);

/** A key that exchanges a lost owner, together with the platform. */
export type BackupKey = {
  /** EIP-55. */
  address: Address;
  /** The module in which an exchange waits. */
  delay: DelaySettings;
};

/** The parties that control a Safe, and the modules through which they do. */
export type SafeControl = {
  /** The owner of today (EIP-55). */
  owner: Address;
  /** The exit: the module through which the owner leaves without the platform. */
  delay: DelaySettings;
  /** Absent: a lost owner cannot be exchanged. */
  backup?: BackupKey;
};

/** The parties of a Safe as they are today, and the owner that its address commits to. */
export type ControlledSafe = SafeParties & { firstOwner: Address };

/** The Safe of backup key and platform, which both must sign, and which alone may use the recovery's module. */
export const recoverySafe = ({ accountId, platform }: Pick<SafeParties, 'accountId' | 'platform'>, backup: Address): Address =>
  predictSafeAddress(accountId, [backup, platform]);

/** The call that deploys it. Anyone may make it; it reverts when the Safe exists. */
export const encodeRecoverySafeDeployment = (
  { accountId, platform }: Pick<SafeParties, 'accountId' | 'platform'>,
  backup: Address,
): ContractCall => encodeSafeDeployment({ accountId, safe: recoverySafe({ accountId, platform }, backup), owner: backup, platform });

/** Puts an exit in the place of another one, with its user. @param before the module that was enabled after the former one */
const replaceExit = (safe: Address, before: Address, former: Address, next: Address, user: Address): ContractCall[] => [
  { to: safe, data: encodeFunctionData({ abi: ABI, functionName: 'disableModule', args: [before, former] }) },
  encodeEnableModule(safe, next),
  encodeEnableModule(next, user),
];

/**
 * The exit of a Safe whose owner has named a backup key: a recovery that is requested while the owner of today can still notice a request to leave ends before it.
 * @param exit the exit until then
 */
export const exitWithBackup = (exit: DelaySettings, recovery: DelaySettings): DelaySettings => ({
  ...exit,
  cooldownSeconds: exit.cooldownSeconds + recovery.cooldownSeconds,
});

/** The exit after an exchange: it has another expiration, so that it is another module. */
export const exitAfterExchange = (exit: DelaySettings): DelaySettings => ({ ...exit, expirationSeconds: exit.expirationSeconds + 1 });

/**
 * The transaction by which a backup key is named: it enables the recovery's module, whose only user is the Safe of backup key and platform, and puts a longer exit in
 * the place of the former one. Both owners sign it. All modules must be deployed when it is executed: a call of an address without code succeeds.
 * @param former the exit until then, the Safe's only module
 */
export const namingTransaction = (
  parties: SafeParties,
  former: DelaySettings,
  { delay, backup }: SafeControl & { backup: BackupKey },
  nonce: bigint,
): SafeTransaction => {
  const { chainId, safe, owner } = parties;
  const recovery = predictDelayModule(safe, backup.delay);
  const calls = encodeMultiSend([
    encodeEnableModule(safe, recovery),
    encodeEnableModule(recovery, recoverySafe(parties, backup.address)),
    ...replaceExit(safe, recovery, predictDelayModule(safe, former), predictDelayModule(safe, delay), owner),
  ]);
  return { chainId, safe, ...calls, operation: 1, safeTxGas: 0n, nonce };
};

/** A call that a module has a Safe make by delegation. */
export type ModuleCall = ContractCall & { module: Address };

/**
 * The exchange of the owner, with an exit of the new one in the place of that of the former one. The recovery's module has the Safe make it. Both exits must be deployed.
 * @param control of today
 */
export const exchangeCall = (
  { safe, owner, platform, accountId, firstOwner }: ControlledSafe,
  { delay, backup }: SafeControl & { backup: BackupKey },
  newOwner: Address,
): ModuleCall => {
  // The set-up of a Safe that was the owner's alone has put the platform before the owner. An exchange keeps the order.
  const before = isSharedFromBirth({ accountId, safe, owner: firstOwner, platform }) ? SENTINEL : platform;
  const next = predictDelayModule(safe, exitAfterExchange(delay));
  const calls = encodeMultiSend([
    { to: safe, data: encodeFunctionData({ abi: ABI, functionName: 'swapOwner', args: [before, owner, newOwner] }) },
    ...replaceExit(safe, SENTINEL, predictDelayModule(safe, delay), next, newOwner),
  ]);
  return { module: predictDelayModule(safe, backup.delay), ...calls };
};

const DELEGATE = 1;

/** The transaction of the Safe of backup key and platform that requests an exchange: both sign it. */
export const requestTransaction = (
  parties: SafeParties,
  backup: Address,
  { module, to, data }: ModuleCall,
  nonce: bigint,
): SafeTransaction => ({
  chainId: parties.chainId,
  safe: recoverySafe(parties, backup),
  to: module,
  data: encodeFunctionData({ abi: ABI, functionName: 'execTransactionFromModule', args: [to, 0n, data, DELEGATE] }),
  operation: 0,
  safeTxGas: 0n,
  nonce,
});

/** The call that carries a requested exchange out. Anyone may make it once its cooldown has passed. */
export const encodeExchange = ({ module, to, data }: ModuleCall): ContractCall => ({
  to: module,
  data: encodeFunctionData({ abi: ABI, functionName: 'executeNextTx', args: [to, 0n, data, DELEGATE] }),
});

/** The call that clears requests which have expired. Anyone may make it. */
export const encodeSkipExpired = (module: Address): ContractCall => ({
  to: module,
  data: encodeFunctionData({ abi: ABI, functionName: 'skipExpired' }),
});

/** Hash by which a Delay module knows a request. */
export const requestHash = ({ to, data }: ContractCall): Hex =>
  keccak256(encodePacked(['address', 'uint256', 'bytes', 'uint8'], [to, 0n, data, DELEGATE]));

/** The transaction that stops the requests of a recovery's module before a number: both owners sign it. */
export const cancellationTransaction = (
  { chainId, safe }: Pick<SafeParties, 'chainId' | 'safe'>,
  module: Address,
  queueNonce: bigint,
  nonce: bigint,
): SafeTransaction => ({
  chainId,
  safe,
  to: module,
  data: encodeFunctionData({ abi: ABI, functionName: 'setTxNonce', args: [queueNonce] }),
  operation: 0,
  safeTxGas: 0n,
  nonce,
});
