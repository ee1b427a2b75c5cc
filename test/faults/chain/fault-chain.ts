import { deployToken } from '@florin/evm/local-chain/deploy-token';
import { installModules } from '@florin/evm/local-chain/install-modules';
import { startEvm } from '@florin/evm/local-chain/start-evm';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

/** A local chain with one token, and the variables of a platform that watches it and carries out withdrawals. */
export const startFaultChain = async () => {
  const { chainId } = DEFAULT_ASSETS.accounts;
  const evm = await startEvm(chainId);
  await installModules(evm);
  const token = await deployToken(evm);
  const relayerKey = generatePrivateKey();
  await evm.rpc('hardhat_setBalance', [privateKeyToAddress(relayerKey), '0x56bc75e2d63100000']);
  const tokens = DEFAULT_ASSETS.tokens.map((one) =>
    one.symbol === 'EURe' ? { ...one, decimals: 2, address: token.address } : { ...one, address: undefined },
  );
  return {
    evm,
    token,
    environment: {
      ASSETS: JSON.stringify({ ...DEFAULT_ASSETS, tokens }),
      ACCOUNTS_NEED_SAFE: 'true',
      CHAIN_RPC_URLS: JSON.stringify({ [chainId]: evm.url }),
      CHAIN_POLL_MS: '200',
      CHAIN_RELAYER_KEY: relayerKey,
      CHAIN_COSIGNER_KEY: generatePrivateKey(),
    },
  };
};

export type FaultChain = Awaited<ReturnType<typeof startFaultChain>>;
