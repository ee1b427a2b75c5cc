import { kept } from '@florin/ui/page/kept.ts';
import type { Hex, LocalAccount } from 'viem';
import type { FoundWallet, Provider } from './eip1193.ts';

const KEY_NAME = 'florin.test-wallet.key';

export const TEST_WALLET_RDNS = 'org.florin.test-wallet';

const UNSUPPORTED = 4200;

const isKey = (text: string | undefined): text is Hex => text !== undefined && /^0x[0-9a-f]{64}$/.test(text);

/** The key stays in this browser, so that the person of the sandbox is there again after a reload. */
const loadAccount = async (): Promise<LocalAccount> => {
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts');
  const found = kept.read(KEY_NAME);
  const key = isKey(found) ? found : generatePrivateKey();
  if (key !== found) kept.keep(KEY_NAME, key);
  return privateKeyToAccount(key);
};

/** Types of a domain are derived by the library; it does not want to be told. */
const withoutDomainType = (types: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(types).filter(([name]) => name !== 'EIP712Domain'));

const createProvider = (): Provider => {
  let chainId = '0x64';
  let loading: Promise<LocalAccount> | undefined;
  const account = () => {
    loading ??= loadAccount();
    return loading;
  };
  return {
    request: async ({ method, params = [] }) => {
      const signer = await account();
      switch (method) {
        case 'eth_requestAccounts':
        case 'eth_accounts':
          return [signer.address];
        case 'eth_chainId':
          return chainId;
        case 'wallet_switchEthereumChain':
          chainId = (params[0] as { chainId: string }).chainId;
          return null;
        case 'personal_sign':
          return signer.signMessage({ message: { raw: params[0] as Hex } });
        case 'eth_signTypedData_v4': {
          const data = JSON.parse(params[1] as string) as Parameters<LocalAccount['signTypedData']>[0] & { types: Record<string, unknown> };
          return signer.signTypedData({ ...data, types: withoutDomainType(data.types) } as Parameters<LocalAccount['signTypedData']>[0]);
        }
        default:
          throw Object.assign(new Error(`the test wallet does not know ${method}`), { code: UNSUPPORTED });
      }
    },
  };
};

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%23c79a3a'/%3E%3Cpath d='M12 7h8M13.5 7v7L8.5 23.5h15L18.5 14V7' fill='none' stroke='%23201400' stroke-width='2'/%3E%3C/svg%3E";

/** Puts a wallet for trying things out into the page, and announces it as extensions do (EIP-6963). Only in a sandbox. */
export const announceTestWallet = (name: string): void => {
  const detail: FoundWallet = Object.freeze({
    info: { uuid: crypto.randomUUID(), name, icon: ICON, rdns: TEST_WALLET_RDNS },
    provider: createProvider(),
  });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
};
