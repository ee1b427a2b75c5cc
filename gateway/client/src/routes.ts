/**
 * How a call is sent: method, path template, flags, and, if there is a body, the members of the input that go into the query. Flags: `s` takes a
 * token, `b` has a body, `p` takes a proof though it takes no token, `e` is a stream of events, `c` is answered by a table as text.
 */
export type Route = readonly [method: string, path: string, flags: string, query?: readonly string[]];

export type Routes = Readonly<Record<string, Readonly<Record<string, Route>>>>;

export const isSecured = ([, , flags]: Route): boolean => flags.includes('s');
export const hasBody = ([, , flags]: Route): boolean => flags.includes('b');
/** Reports whether a proof of possession is accepted without a token. */
export const takesProof = ([, , flags]: Route): boolean => flags.includes('p');
export const isStream = ([, , flags]: Route): boolean => flags.includes('e');
export const isTable = ([, , flags]: Route): boolean => flags.includes('c');

/** Reports whether the platform keeps the response of the call by its Idempotency-Key. */
export const isKeyed = (route: Route): boolean => route[0] !== 'GET' && isSecured(route);
