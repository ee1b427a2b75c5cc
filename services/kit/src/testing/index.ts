export { createTestAuthority, type TestAuthority, type TestUser } from './authority.ts';
export { testEngines } from './engines.ts';
export { testEnvironment } from './environment.ts';
export { type EventStream, openEventStream, type StreamedEvent } from './event-stream.ts';
export { fakeClock } from './fake-clock.ts';
export { quietLogger } from './quiet-logger.ts';
export { waitFor } from './wait-for.ts';
