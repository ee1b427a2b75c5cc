import type { Evm } from '@florin/evm/local-chain/start-evm';
import { type Address, concatHex, type Hex, pad, size, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

/** `Blacklisted(address)` of Circle's tokens. */
const BLACKLISTED: Hex = '0xffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855';

/** Selector of the function that freezes an address, which anyone may call. */
const FREEZE: Hex = '0x8d1fdf2f';

/** The calldata that freezes an address. */
export const freezeData = (address: Address): Hex => concatHex([FREEZE, pad(address)]);

/** Returns code that delegates to a token what an address that is not frozen calls, and freezes addresses. The slot of an address says that it is frozen. */
const codeOf = (token: Address): Hex => {
  const isFreeze: Hex = concatHex(['0x5f3560e01c63', FREEZE, '0x14']);
  const isFrozen: Hex = '0x3354';
  const delegate: Hex = concatHex(['0x365f5f375f5f365f73', token, '0x5af43d5f5f3e']);
  const fail: Hex = '0x3d5ffd';
  const succeed: Hex = '0x5b3d5ff3';
  const freeze: Hex = concatHex(['0x5b6001600435556004357f', BLACKLISTED, '0x5f5fa200']);
  const reject: Hex = '0x5b5f5ffd';
  /** Bytes of a jump: PUSH1, its target, JUMPI. */
  const JUMP = 3;
  const delegateAt = size(isFreeze) + JUMP + size(isFrozen) + JUMP;
  const succeedAt = delegateAt + size(delegate) + JUMP + size(fail);
  const freezeAt = succeedAt + size(succeed);
  const rejectAt = freezeAt + size(freeze);
  const jumpTo = (at: number): Hex => concatHex(['0x60', toHex(at, { size: 1 }), '0x57']);
  const start = [isFreeze, jumpTo(freezeAt), isFrozen, jumpTo(rejectAt), delegate, jumpTo(succeedAt), fail];
  return concatHex([...start, succeed, freeze, reject]);
};

/** Lets anyone freeze addresses of a token, whose balances stay. */
export const makeFreezable = async ({ rpc, setCode }: Evm, token: Address): Promise<void> => {
  const moved = privateKeyToAddress(generatePrivateKey());
  await setCode(moved, await rpc<Hex>('eth_getCode', [token, 'latest']));
  await setCode(token, codeOf(moved));
};
