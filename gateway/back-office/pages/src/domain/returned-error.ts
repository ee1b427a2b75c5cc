const CODE = /^[A-Z][A-Z_]{0,63}$/;

/** Ids of requests, as the process accepts them. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The parameters with which a failed sign-in at the OpenID provider leads back. */
export type ReturnedError = { code: string; requestId?: string };

/**
 * Reads it from the address of the page. Anybody can make a link with an address: a sentence in it is not shown as if the page had said it.
 * @returns undefined without one
 */
export const returnedError = (search: string): ReturnedError | undefined => {
  const given = new URLSearchParams(search);
  const code = given.get('error') ?? '';
  const requestId = given.get('request') ?? '';
  if (!CODE.test(code)) return undefined;
  return { code, ...(REQUEST_ID.test(requestId) ? { requestId } : {}) };
};
