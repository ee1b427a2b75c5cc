import { hashInput } from '@florin/rpc/hashing';

/** The form in which the value of an authentication (CAVV, AAV) is kept: it is found by, and cannot be presented again. */
export const valueHashOf = (authenticationValue: string): string => hashInput({ authenticationValue });
