export const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const toBase64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** @throws DOMException if the text is not base64url */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** SHA-256 of a text, in base64url. */
export const sha256 = async (text: string): Promise<string> => toBase64url(await crypto.subtle.digest('SHA-256', encodeText(text)));
