import type { TypedMessage } from '../generated/schemas.ts';

/** The text to be signed differs from the request. Nothing was signed; do not sign it elsewhere either. */
export class UnexpectedTextError extends Error {
  override readonly name = 'UnexpectedTextError';
  readonly code = 'UNEXPECTED_TEXT';
  /** Lines, of which those that cannot be known are patterns. */
  readonly expected: string;
  readonly received: string;

  constructor(expected: string, received: string) {
    super('the text to sign is not the expected one');
    this.expected = expected;
    this.received = received;
  }
}

/** A line that has to be there, or a pattern for one that only the platform knows. */
type Line = string | RegExp;

/** When a text expires. */
export const EXPIRES = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

/** Checks a text line by line. @throws UnexpectedTextError */
export const expectLines = (text: string, lines: readonly Line[]): void => {
  const received = text.split('\n');
  const isExpected =
    received.length === lines.length &&
    lines.every((line, index) => (typeof line === 'string' ? line === received[index] : line.test(received[index] ?? '')));
  if (!isExpected) throw new UnexpectedTextError(lines.map(String).join('\n'), text);
};

const MESSAGE_TYPE = 'authorization string, nonce uint256';

/**
 * Checks typed data: that a wallet shows the whole text, for which purpose it is, and every line.
 * @param purpose name of the domain, which differs by what a signature can be used for
 * @throws UnexpectedTextError
 */
export const expectTypedText = ({ domain, primaryType, types, message }: TypedMessage, purpose: string, lines: readonly Line[]): void => {
  const type = types.Message.map(({ name, type: kind }) => `${name} ${kind}`).join(', ');
  expectLines([primaryType, type, domain.name].join('\n'), ['Message', MESSAGE_TYPE, purpose]);
  expectLines(message.authorization, lines);
};
