import { toCodedError } from '../errors/index.ts';

/** A dependency without which a process cannot start is unavailable. The start is repeated until it is available. */
export class UnavailableDependencyError extends Error {
  override readonly name = 'UnavailableDependencyError';
  /** Name of the dependency, as the readiness probe reports it. */
  readonly dependency: string;

  constructor(dependency: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.dependency = dependency;
  }
}

const namesOf = (error: object): string =>
  `${(error.constructor as { name: string } | undefined)?.name ?? ''} ${'name' in error ? String(error.name) : ''}`;

/**
 * Returns the dependency whose absence made a start fail: one that was named by UnavailableDependencyError, or the engine that an error of its
 * client tells to be unavailable. Returns undefined for any other error.
 */
export const unavailableDependency = (error: unknown): UnavailableDependencyError | undefined => {
  if (error instanceof UnavailableDependencyError) return error;
  if (!(error instanceof Error) || toCodedError(error).code !== 'SERVICE_UNAVAILABLE') return undefined;
  const cause = error.cause instanceof Error && error.message === 'SERVICE_UNAVAILABLE' ? error.cause : error;
  return new UnavailableDependencyError(/Mongo|PoolCleared/.test(namesOf(cause)) ? 'mongodb' : 'redis', cause.message, { cause });
};
