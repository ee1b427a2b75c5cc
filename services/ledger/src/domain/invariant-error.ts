/** An invariant of the journal does not hold, because of a defect or of a change to stored data. Never caused by a request. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}
