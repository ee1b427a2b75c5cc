import { hashStruct, recoverTypedDataAddress } from 'viem/utils';
import type { SafeTypedData } from '../generated/schemas.ts';
import { bytes, hexOf, word } from './abi.ts';
import { type ChainNode, callView } from './chain-node.ts';

/** A key's signature, and what a Safe reads of a contract that is its only signer: address, place and 0, then length and bytes of its signature. */
const BY_KEY = /^0x[0-9a-f]{130}$/;
const BY_CONTRACT = /^0x0{24}([0-9a-f]{40})0{62}4100((?:[0-9a-f]{2})+)$/;

/** `isValidSignature(bytes,bytes)`, which a Safe asks of an owner that is a contract; the selector is the answer as well. */
const IS_VALID_SIGNATURE = '0x20c13b0b';

/** The bytes whose hash owners sign, without `0x`: a contract is asked about them. */
const signedBytes = ({ domain, types, message }: SafeTypedData): string => {
  const separator = [
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const hash = (primaryType: string, fields: object, data: object): string =>
    hashStruct({ primaryType, types: { [primaryType]: fields }, data } as unknown as Parameters<typeof hashStruct>[0]).slice(2);
  return `1901${hash('EIP712Domain', separator, domain)}${hash('SafeTx', types.SafeTx, message)}`;
};

/**
 * Finds the signer of a set-up. Loaded when it is needed: a curve is most of an app's wallet.
 * @param node needed for a contract
 * @returns address in lower case; undefined when nobody is known to have signed it
 */
export const setUpSigner = async (
  typedData: SafeTypedData,
  signature: string,
  node: ChainNode | undefined,
): Promise<string | undefined> => {
  if (BY_KEY.test(signature)) {
    const signed = { ...typedData, signature } as unknown as Parameters<typeof recoverTypedDataAddress>[0];
    return (await recoverTypedDataAddress(signed)).toLowerCase();
  }
  const [, contract, lengthAndBytes] = BY_CONTRACT.exec(signature) ?? [];
  if (contract === undefined || lengthAndBytes === undefined || node === undefined) return undefined;
  const signed = bytes(signedBytes(typedData));
  const data = IS_VALID_SIGNATURE + word(hexOf(64)) + word(hexOf(64 + signed.length / 2)) + signed + bytes(lengthAndBytes.slice(64));
  return (await callView(node, `0x${contract}`, data)).startsWith(IS_VALID_SIGNATURE) ? `0x${contract}` : undefined;
};
