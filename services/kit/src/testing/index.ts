export { createTestAuthority, type TestAuthority, type TestUser } from './authority.ts';
export { testEngines } from './engines.ts';
export { testEnvironment } from './environment.ts';
export { type EventStream, openEventStream, type StreamedEvent } from './event-stream.ts';
export { fakeClock } from './fake-clock.ts';
export { implementPart, startNeighbour } from './neighbour.ts';
export { quietLogger } from './quiet-logger.ts';
export { joinSignature, malleated, SECP256K1_ORDER, withV } from './signatures.ts';
export { waitFor } from './wait-for.ts';
