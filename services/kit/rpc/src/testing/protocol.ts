/** The protocol layer without policies, for tests of the protocol itself. */
export { connectHandler, pathOf } from '../server/connect-handler.ts';
export type { BeginCall, NodeHandler, ResponseMetadata } from '../server/exchange.ts';
export { listen } from '../server/listener.ts';
export { isBinaryUnary, unaryHandler } from '../server/serve-unary.ts';
