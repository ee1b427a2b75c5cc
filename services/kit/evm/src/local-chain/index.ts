export { deployToken, type TestToken } from './deploy-token.ts';
export { describeOnEvm, itOnEvm } from './describe-on-evm.ts';
export { installCollector, installDeployer } from './install-collector.ts';
export { installModules } from './install-modules.ts';
export { type Evm, GAS_BURNER, startEvm } from './start-evm.ts';
