/** Name of a gRPC status as Connect spells it. */
export type GrpcStatus =
  | 'InvalidArgument'
  | 'DeadlineExceeded'
  | 'NotFound'
  | 'AlreadyExists'
  | 'PermissionDenied'
  | 'ResourceExhausted'
  | 'FailedPrecondition'
  | 'Aborted'
  | 'Unimplemented'
  | 'Internal'
  | 'Unavailable'
  | 'Unauthenticated';

/** A contract's error codes, each with its gRPC and HTTP status. */
export type ErrorCodes = Readonly<Record<string, { grpc: GrpcStatus; http: number }>>;
