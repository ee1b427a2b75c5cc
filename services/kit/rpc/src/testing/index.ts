export { createTestAuthority, type TestAuthority, type TestUser } from './authority.ts';
export { type CertificateFiles, createTestCa } from './certificates.ts';
export { type EventStream, openEventStream, type StreamedEvent } from './event-stream.ts';
export { fakeClock } from './fake-clock.ts';
export { type GrpcClient, openGrpcClient } from './grpc-client.ts';
export { implementPart, startNeighbour } from './neighbour.ts';
export { quietLogger } from './quiet-logger.ts';
export { signDelivery } from './sign-delivery.ts';
export { waitFor } from './wait-for.ts';
