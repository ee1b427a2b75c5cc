import { getAddress } from 'viem';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';

/** Lifetime of a message. */
const SIWE_LIFE_MS = 10 * 60 * 1000;

/** The uses of a signed message. */
export type SiwePurpose = 'sign_in' | 'add_wallet';

/** Texts that wallets show. They differ by purpose, so that a person sees what a signature is for. */
const STATEMENT: Readonly<Record<SiwePurpose, (partnerName: string) => string>> = {
  sign_in: (partnerName) => `Sign in to ${partnerName}.`,
  add_wallet: (partnerName) => `Add this wallet to my ${partnerName} account. It will be able to sign in and to approve payments.`,
};

export type SiweFields = {
  purpose: SiwePurpose;
  /** Any case. */
  address: string;
  domain: string;
  uri: string;
  chainId: number;
  nonce: string;
  partnerName: string;
  issuedAt: Date;
};

/** Text of a message to sign (EIP-4361, version 1). */
export const writeSiweMessage = (fields: SiweFields): { message: string; expiresAt: Date } => {
  const { purpose, address, domain, uri, chainId, nonce, partnerName, issuedAt } = fields;
  const expiresAt = new Date(issuedAt.getTime() + SIWE_LIFE_MS);
  const message = createSiweMessage({
    address: getAddress(address.toLowerCase()),
    domain,
    uri,
    chainId,
    nonce,
    statement: STATEMENT[purpose](partnerName),
    issuedAt,
    expirationTime: expiresAt,
    version: '1',
  });
  return { message, expiresAt };
};

/** The fields of a presented message. */
export type PresentedMessage = {
  address: `0x${string}`;
  domain: string;
  nonce: string;
  statement: string;
  issuedAt: Date;
  expiresAt: Date;
};

/** Reads a presented message; undefined unless it is an EIP-4361 text that has a statement, an issue time and an expiration time. */
export const readSiweMessage = (message: string): PresentedMessage | undefined => {
  const { address, domain, nonce, statement, issuedAt, expirationTime } = parseSiweMessage(message);
  if (address === undefined || domain === undefined || nonce === undefined) return undefined;
  if (statement === undefined || issuedAt === undefined || expirationTime === undefined) return undefined;
  return { address: getAddress(address.toLowerCase()), domain, nonce, statement, issuedAt, expiresAt: expirationTime };
};

/** Reports whether the text that the wallet has shown is about this use. */
export const isForPurpose = ({ statement }: PresentedMessage, purpose: SiwePurpose, partnerName: string): boolean =>
  statement === STATEMENT[purpose](partnerName);

/** Reports whether a message is valid: it expires, no later than messages do, and has not expired. */
export const isValidAt = ({ issuedAt, expiresAt }: PresentedMessage, now: Date): boolean =>
  now < expiresAt && expiresAt.getTime() - issuedAt.getTime() <= SIWE_LIFE_MS;

/** Reports whether `uri` is an http(s) URI on `domain` and contains only characters that cannot break the lines of the message. */
export const isUriOfDomain = (uri: string, domain: string): boolean => {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(uri) || /[<>"\\^`{}|]/.test(uri) || !URL.canParse(uri)) return false;
  const { host, username, password, protocol } = new URL(uri);
  const origin = `${protocol}//${domain}`;
  // Compares parsed hosts, because a URL drops the default port of its scheme.
  return username === '' && password === '' && URL.canParse(origin) && new URL(origin).host === host;
};
