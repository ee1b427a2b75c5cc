import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Ceremony } from '../contract/index.ts';

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();

/** CBOR (RFC 8949) of a byte string of up to 65,535 bytes. */
const bytes = (value: Buffer): Buffer => {
  const { length } = value;
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
};

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** A public key of ES256 (COSE, RFC 9053): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const coseKey = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (value: string): Buffer => bytes(Buffer.from(value, 'base64url'));
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, coordinate(x), Buffer.from([0x22]), coordinate(y)]);
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export type AuthenticatorOptions = {
  /** Where the page is that asks. */
  origin: string;
  /** True if it verifies its user. */
  verifiesUser?: boolean;
  /** True if it counts its signatures. */
  counts?: boolean;
  /** Id of its credential, base64url. Default: one of its own. */
  credentialId?: string;
};

/** A software authenticator with one credential, as a browser with a passkey answers. */
export const createAuthenticator = ({ origin, verifiesUser = true, counts = true, credentialId }: AuthenticatorOptions) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = credentialId === undefined ? randomBytes(32) : Buffer.from(credentialId, 'base64url');
  let counter = 0;

  const dataOf = (flags: number, more = Buffer.alloc(0)): Buffer => {
    if (counts) counter += 1;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0));
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(new URL(origin).hostname), head, more]);
  };

  const clientData = (type: string, { options }: Pick<Ceremony, 'options'>): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge: options['challenge'], origin, crossOrigin: false }));

  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
    response,
  });

  return {
    /** Makes the credential. */
    create: (ceremony: Pick<Ceremony, 'options'>): Record<string, unknown> => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const authData = dataOf(HAS_CREDENTIAL, Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]));
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(authData)],
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },

    /** Signs in with the credential. */
    get: (ceremony: Pick<Ceremony, 'options'>): Record<string, unknown> => {
      const client = clientData('webauthn.get', ceremony);
      const authData = dataOf(0);
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
};
