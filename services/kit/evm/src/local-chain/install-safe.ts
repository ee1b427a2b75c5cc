import handlerArtifact from '@safe-global/safe-contracts/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json' with {
  type: 'json',
};
import multiSendArtifact from '@safe-global/safe-contracts/build/artifacts/contracts/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json' with {
  type: 'json',
};
import factoryArtifact from '@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json' with {
  type: 'json',
};
import singletonArtifact from '@safe-global/safe-contracts/build/artifacts/contracts/SafeL2.sol/SafeL2.json' with { type: 'json' };
import type { Address } from 'viem';
import { SAFE_CONTRACTS } from '../safe/index.ts';

/** Puts the contracts of Safe 1.4.1 at their canonical addresses. */
export const installSafe = async ({ setCode }: { setCode: (address: Address, code: string) => Promise<unknown> }): Promise<void> => {
  await setCode(SAFE_CONTRACTS.proxyFactory.address, factoryArtifact.deployedBytecode);
  await setCode(SAFE_CONTRACTS.l2Singleton.address, singletonArtifact.deployedBytecode);
  await setCode(SAFE_CONTRACTS.fallbackHandler.address, handlerArtifact.deployedBytecode);
  await setCode(SAFE_CONTRACTS.multiSend.address, multiSendArtifact.deployedBytecode);
};
