import type { IncomingMessage } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';

const tooLarge = (maxBytes: number): ConnectError => new ConnectError(`the request exceeds ${maxBytes} bytes`, Code.ResourceExhausted);

/**
 * Reads the body of a request. Bytes after the limit are not kept.
 * @throws ConnectError RESOURCE_EXHAUSTED above `maxBytes`, ABORTED when the caller closes the connection
 */
export const readBody = (request: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const settle = (error?: unknown): void => {
      request.off('data', onData).off('end', settle).off('error', settle).off('close', onClose);
      const [first] = chunks;
      if (error !== undefined) reject(error as Error);
      else resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    };
    const onData = (chunk: Uint8Array): void => {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) chunks.push(chunk);
      else settle(tooLarge(maxBytes));
    };
    const onClose = (): void => settle(new ConnectError('the caller closed the connection', Code.Aborted));
    request.on('data', onData).on('end', settle).on('error', settle).on('close', onClose);
    // The caller may have disconnected while it was being authorized.
    if (request.destroyed) onClose();
  });
};
