/** The database as the audit reads it: plain documents, by collection. */
export type Cursor = AsyncIterable<unknown> & {
  sort: (order: Record<string, 1 | -1>) => Cursor;
  batchSize: (size: number) => Cursor;
};
export type Source = {
  collection: (name: string) => {
    find: (filter: object, options?: object) => Cursor;
    countDocuments: (filter: object) => Promise<number>;
  };
};

/** The journal, or what is derived from it, does not hold; `block` is the id of the block that disagrees. */
export class AuditError extends Error {
  override readonly name = 'AuditError';
  readonly block: string;

  constructor(block: string, problem: string) {
    super(problem);
    this.block = block;
  }
}

/** There are more accounts or ids than may be held at once: to be read in narrower ranges. */
export class TooManyError extends Error {
  override readonly name = 'TooManyError';
}
