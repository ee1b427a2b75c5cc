export { deployToken, type TestToken } from './deploy-token.ts';
export { installModules } from './install-modules.ts';
export { describeOnEvm, type Evm, GAS_BURNER, itOnEvm, startEvm } from './local-chain.ts';
