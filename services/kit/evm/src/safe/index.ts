export {
  acceptTerms,
  COLLECTOR,
  COLLECTOR_ABI,
  type CollectionTerms,
  DEPLOYER,
  encodeCollectorDeployment,
  encodeMovements,
  MOVED,
  MOVEMENT_GAS,
  type Movement,
} from './collector.ts';
export { type DelaySettings, encodeDelayDeployment, moduleProxyCodeHash, predictDelayModule } from './delay-module.ts';
export {
  DELAY_1_0_1,
  faultyModuleAt,
  MODULE_PROXY_FACTORY,
  type PinnedContract,
  SAFE_CONTRACTS,
  SAFE_PROXY_CODE_HASH,
  SENTINEL,
} from './deployments.ts';
export {
  type BackupKey,
  type ControlledSafe,
  cancellationTransaction,
  encodeExchange,
  encodeRecoverySafeDeployment,
  encodeSkipExpired,
  exchangeCall,
  exitAfterExchange,
  exitWithBackup,
  type ModuleCall,
  namingTransaction,
  recoverySafe,
  requestHash,
  requestTransaction,
  type SafeControl,
} from './recovery.ts';
export { predictSafeAddress } from './safe-address.ts';
export { type ContractCall, encodeMultiSend } from './safe-call.ts';
export { EXECUTION_SUCCESS, EXECUTION_TOPICS, readExecution } from './safe-executions.ts';
export { encodeSafeDeployment, isSharedFromBirth, type SafeParties, setUpTransaction } from './safe-set-up.ts';
export {
  encodeExecution,
  joinOwnerSignatures,
  type OwnerSignature,
  type SafeMessage,
  type SafeTransaction,
  safeMessageTypedData,
  safeTransactionData,
  safeTransactionHash,
  safeTypedData,
} from './safe-transaction.ts';
