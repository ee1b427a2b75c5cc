import type { ContractQuestion } from '@florin/evm/contract-signers';
import { canonicalSignature } from '@florin/evm/signatures';
import { MESSAGE_TYPE, messageDigest, recoverMessageSigner, type TypedMessage } from '@florin/evm/typed-messages';
import { textAsIssued } from '../domain/authorization-text.ts';
import { safeSignature } from '../domain/decision-signature.ts';
import { DOMAIN_NAME, DOMAIN_VERSION, decisionTypedData } from '../domain/decision-typed-data.ts';
import { receiptFingerprint } from './fingerprint.ts';
import { type ReadReceipt, ReceiptError, readReceipt } from './read-receipt.ts';

/** A finding: something that holds, or (`open`) something that cannot be verified with what is given. */
type Finding = { open?: true; text: string };

/** True if a contract accepted a signature over a digest at a block. Rejects when the contract cannot be called. */
export type AskContract = (question: ContractQuestion, digest: `0x${string}`, blockNumber: number) => Promise<boolean>;

const mustHold = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new ReceiptError(otherwise);
};

const checkTypedData = ({ typedData, typedDataHash }: ReadReceipt): TypedMessage => {
  const { domainName, domainVersion, domainChainId, messageTypes } = typedData;
  mustHold(domainName === DOMAIN_NAME, `typedData.domainName is not "${DOMAIN_NAME}"`);
  mustHold(domainVersion === DOMAIN_VERSION, `typedData.domainVersion is not "${DOMAIN_VERSION}"`);
  const sameTypes =
    messageTypes.length === MESSAGE_TYPE.length &&
    MESSAGE_TYPE.every(({ name, type }, index) => messageTypes[index]?.name === name && messageTypes[index]?.type === type);
  mustHold(sameTypes, 'typedData.messageTypes are not (string authorization, uint256 nonce)');
  const data = decisionTypedData(domainChainId, typedData);
  mustHold(messageDigest(data) === typedDataHash, 'typedDataHash is not the EIP-712 digest of typedData');
  return data;
};

/** The signed text contains exactly the receipt's facts: each line is rebuilt from them. */
const checkText = (receipt: ReadReceipt): string[] => {
  const { challengeId, decision, cardLast4, merchant, amount, currency, decimals, expiresAt } = receipt;
  const facts = { id: challengeId, amount, currency, decimals, last4: cardLast4, merchant, expiresAt };
  const lines = textAsIssued(facts, decision, receipt.typedData.authorization).split('\n');
  const signed = receipt.typedData.authorization.split('\n');
  for (const [index, line] of lines.entries()) mustHold(signed[index] === line, `the signed text does not contain the line "${line}"`);
  mustHold(signed.length === lines.length, 'the signed text contains more lines than the receipt has facts');
  return lines;
};

const checkTimes = ({ issuedAt, decidedAt, expiresAt }: ReadReceipt): void => {
  mustHold(issuedAt.getTime() <= decidedAt.getTime(), 'decidedAt is before issuedAt');
  mustHold(decidedAt.getTime() < expiresAt.getTime(), 'decidedAt is not before expiresAt');
};

const checkWallet = async (receipt: ReadReceipt, data: TypedMessage): Promise<void> => {
  const signature = canonicalSignature(receipt.signature);
  mustHold(receipt.blockNumber === 0, 'blockNumber must not be set when a wallet signed');
  mustHold(signature === receipt.signature, 'signature is not a canonical 65-byte signature');
  const signer = await recoverMessageSigner(data, receipt.signature);
  mustHold(signer === receipt.signer, 'signature was not made by signer over typedData');
};

const checkSafe = async (receipt: ReadReceipt, ask: AskContract | undefined): Promise<Finding> => {
  const { signer, signature, blockNumber, typedDataHash } = receipt;
  const chainId = receipt.typedData.domainChainId;
  mustHold(blockNumber > 0, 'blockNumber is required when a Safe signed');
  mustHold(safeSignature(signature) === signature, 'signature is not in a form that a Safe accepts');
  const where = `Safe ${signer} at block ${blockNumber} of chain ${chainId}`;
  if (ask === undefined) {
    return {
      open: true,
      text: `whether ${where} accepted the signature: pass --rpc URL of an archive node of the chain to verify it`,
    };
  }
  const accepted = await ask({ chainId, contract: signer, signature }, typedDataHash, blockNumber);
  mustHold(accepted, `${where} does not accept the signature`);
  return { text: `${where} accepts the signature (EIP-1271)` };
};

/**
 * Verifies a receipt offline, except for the contract of a Safe.
 * @param text JSON of a receipt (`readReceipt`)
 * @param ask calls a Safe; without it everything else in a Safe's receipt is verified
 * @returns one finding per fact that holds, as it is verified
 * @throws ReceiptError at the first fact that does not hold; any error of `ask`
 */
export async function* checkReceipt(text: string, ask?: AskContract): AsyncGenerator<Finding, void> {
  const receipt = readReceipt(text);
  yield { text: `receipt of challenge ${receipt.challengeId}: complete and well-formed` };
  yield* checkText(receipt).map((line) => ({ text: `signed text: ${line}` }));
  const { chainId, ...data } = checkTypedData(receipt);
  yield { text: `typed data: domain "${DOMAIN_NAME}" version ${DOMAIN_VERSION} on chain ${chainId}, digest ${receipt.typedDataHash}` };
  yield { text: `nonce: ${data.nonce}` };
  checkTimes(receipt);
  yield { text: `times: issued ${receipt.issuedAt.toISOString()}, decided ${receipt.decidedAt.toISOString()}, before the expiry` };
  if (receipt.signerType === 'wallet') {
    await checkWallet(receipt, { chainId, ...data });
    yield { text: `signature: canonical, by wallet ${receipt.signer}` };
  }
  mustHold(receiptFingerprint(receipt.wire) === receipt.fingerprint, 'fingerprint does not match: the receipt was changed');
  yield { text: 'fingerprint: matches all fields' };
  if (receipt.signerType === 'safe') yield await checkSafe(receipt, ask);
}
