export { createChainContractSigners } from './chain-contract-signers.ts';
export type { ContractQuestion, ContractSigners } from './contract-signers.ts';
