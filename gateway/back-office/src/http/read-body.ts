import type { IncomingMessage } from 'node:http';
import { CodedError } from '@florin/rpc/errors';

const LIMIT_BYTES = 64 * 1024;

/** @returns the parsed JSON of a body; undefined without one. @throws CodedError PAYLOAD_TOO_LARGE, MALFORMED_BODY */
export const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new CodedError('PAYLOAD_TOO_LARGE', { metadata: { maxBytes: String(LIMIT_BYTES) } });
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new CodedError('MALFORMED_BODY', { message: 'the body must be JSON' });
  }
};
