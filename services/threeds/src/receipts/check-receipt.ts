import { canonicalSignature } from '@florin/evm/signatures';
import type { ContractQuestion } from '../adapters/contract-signers.ts';
import { authorizationText } from '../domain/authorization-text.ts';
import { decisionDigest, recoverSigner, safeSignature } from '../domain/decision-signature.ts';
import { type DecisionTypedData, DOMAIN_NAME, DOMAIN_VERSION, decisionTypedData, MESSAGE_TYPE } from '../domain/decision-typed-data.ts';
import { receiptFingerprint } from './fingerprint.ts';
import { type ReadReceipt, ReceiptError, readReceipt } from './read-receipt.ts';

/** What was found out: something that holds, or (`open`) something that cannot be told from here. */
export type Finding = { open?: true; text: string };

/** Whether a contract accepted a signature over a digest at a block. Rejects when that cannot be found out. */
export type AskContract = (question: ContractQuestion, digest: `0x${string}`, blockNumber: number) => Promise<boolean>;

const mustHold = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new ReceiptError(otherwise);
};

const checkTypedData = ({ typedData, typedDataHash }: ReadReceipt): DecisionTypedData => {
  const { domainName, domainVersion, domainChainId, messageTypes } = typedData;
  mustHold(domainName === DOMAIN_NAME, `typedData.domainName is not "${DOMAIN_NAME}"`);
  mustHold(domainVersion === DOMAIN_VERSION, `typedData.domainVersion is not "${DOMAIN_VERSION}"`);
  const sameTypes =
    messageTypes.length === MESSAGE_TYPE.length &&
    MESSAGE_TYPE.every(({ name, type }, index) => messageTypes[index]?.name === name && messageTypes[index]?.type === type);
  mustHold(sameTypes, 'typedData.messageTypes are not (string authorization, uint256 nonce)');
  const data = decisionTypedData(domainChainId, typedData);
  mustHold(decisionDigest(data) === typedDataHash, 'typedDataHash is not the EIP-712 digest of typedData');
  return data;
};

/** The signed text holds exactly what the receipt's fields say: each line is rebuilt from them. */
const checkText = (receipt: ReadReceipt): string[] => {
  const { challengeId, decision, cardLast4, merchant, amount, currency, decimals, expiresAt } = receipt;
  const facts = { id: challengeId, amount, currency, decimals, last4: cardLast4, merchant, expiresAt };
  const told = authorizationText(facts, decision).split('\n');
  const signed = receipt.typedData.authorization.split('\n');
  for (const [index, line] of told.entries()) mustHold(signed[index] === line, `the signed text does not say "${line}"`);
  mustHold(signed.length === told.length, 'the signed text says more than the receipt');
  return told;
};

const checkTimes = ({ issuedAt, decidedAt, expiresAt }: ReadReceipt): void => {
  mustHold(issuedAt.getTime() <= decidedAt.getTime(), 'decidedAt is before issuedAt');
  mustHold(decidedAt.getTime() < expiresAt.getTime(), 'decidedAt is not before expiresAt');
};

const checkWallet = async (receipt: ReadReceipt, data: DecisionTypedData): Promise<void> => {
  const signature = canonicalSignature(receipt.signature);
  mustHold(receipt.blockNumber === 0, 'blockNumber is set, although a wallet signed');
  mustHold(signature === receipt.signature, 'signature is not a canonical one of 65 bytes');
  const signer = await recoverSigner(data, receipt.signature);
  mustHold(signer === receipt.signer, 'signature is not by signer over typedData');
};

const checkSafe = async (receipt: ReadReceipt, ask: AskContract | undefined): Promise<Finding> => {
  const { signer, signature, blockNumber, typedDataHash } = receipt;
  const chainId = receipt.typedData.domainChainId;
  mustHold(blockNumber > 0, 'blockNumber is missing, although a Safe signed');
  mustHold(safeSignature(signature) === signature, 'signature is none that a Safe takes');
  const where = `Safe ${signer} at block ${blockNumber} of chain ${chainId}`;
  if (ask === undefined) {
    return {
      open: true,
      text: `that ${where} accepted the signature: give --rpc URL (a node of the chain that keeps old states) to ask it`,
    };
  }
  const accepted = await ask({ chainId, contract: signer, signature }, typedDataHash, blockNumber);
  mustHold(accepted, `${where} does not accept the signature`);
  return { text: `${where} accepts the signature (EIP-1271)` };
};

/**
 * Checks a receipt without asking anybody but the contract of a Safe.
 * @param text JSON of GetReceipt's answer
 * @param ask how to ask a Safe; without it everything else about a Safe's receipt is checked
 * @returns one finding about each thing that holds, as it is found
 * @throws ReceiptError at the first thing that does not hold; what `ask` throws
 */
export async function* checkReceipt(text: string, ask?: AskContract): AsyncGenerator<Finding, void> {
  const receipt = readReceipt(text);
  yield { text: `receipt of challenge ${receipt.challengeId}: complete and well-formed` };
  yield* checkText(receipt).map((line) => ({ text: `the signed text says: ${line}` }));
  const { chainId, ...data } = checkTypedData(receipt);
  yield { text: `typed data: domain "${DOMAIN_NAME}" version ${DOMAIN_VERSION} on chain ${chainId}, digest ${receipt.typedDataHash}` };
  yield { text: `nonce: ${data.nonce}` };
  checkTimes(receipt);
  yield { text: `times: issued ${receipt.issuedAt.toISOString()}, decided ${receipt.decidedAt.toISOString()}, before the end` };
  if (receipt.signerType === 'wallet') {
    await checkWallet(receipt, { chainId, ...data });
    yield { text: `signature: canonical, by wallet ${receipt.signer}` };
  }
  mustHold(receiptFingerprint(receipt.wire) === receipt.fingerprint, 'fingerprint does not fit: something was changed');
  yield { text: 'fingerprint: fits everything above' };
  if (receipt.signerType === 'safe') yield await checkSafe(receipt, ask);
}
