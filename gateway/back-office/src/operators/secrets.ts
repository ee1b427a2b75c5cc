import { createHash } from 'node:crypto';
import type { Runtime } from '@florin/rpc/runtime';

/** A secret of 256 bits, as text for a link or a cookie. Only its hash is stored. */
export const newSecret = ({ randomBytes }: Pick<Runtime, 'randomBytes'>): string => Buffer.from(randomBytes(32)).toString('base64url');

/** SHA-256, hex: enough for a secret that cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
