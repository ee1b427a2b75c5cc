import type { RequestHandler } from 'express';

/** An address with the port that some proxies append, as `192.0.2.1:4711` or `[2001:db8::1]:4711` (RFC 7239, section 6). */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\dA-Fa-f.:]+)\])(?::\d{1,5})?$/;

const withoutPort = (address: string): string => address.trim().replace(WITH_PORT, '$1$2');

/** Removes ports from X-Forwarded-For: each connection has another one, by which a client would never reach the limit of its address. */
export const forwardedAddresses: RequestHandler = (request, _response, next) => {
  const given = request.headers['x-forwarded-for'];
  if (typeof given === 'string') request.headers['x-forwarded-for'] = given.split(',').map(withoutPort).join(', ');
  next();
};
