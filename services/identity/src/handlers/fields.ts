import { z } from 'zod';

/** The longest IPv6 address in text, one that holds an IPv4 address. */
const IP_LENGTH = 45;

/** A caller's IP address: kept for people to read, so cut instead of refused. */
export const ipField = z.string().transform((text) => text.slice(0, IP_LENGTH));
