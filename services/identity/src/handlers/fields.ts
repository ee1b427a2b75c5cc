import { CodedError } from '@florin/rpc/errors';
import { emailOf } from '../domain/email.ts';

/** Length of the longest textual IPv6 address, one with an embedded IPv4 address. */
const IP_LENGTH = 45;

/** IP address of a caller. It is only displayed, so a value that is too long is cut. */
export const ipOf = ({ ip }: { ip: string }): string => ip.slice(0, IP_LENGTH);

/** The e-mail address of a request. @throws CodedError VALIDATION_FAILED */
export const readEmail = (text: string): string => {
  const email = emailOf(text);
  if (email === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'email: must be an e-mail address' });
  return email;
};
