/** Why a command failed. Part of the interface of `npm run ledger`: added, never renamed. */
export type CommandErrorCode =
  | 'ACCOUNT_NOT_FOUND'
  | 'DATABASE_NOT_EMPTY'
  | 'FILE_BROKEN'
  | 'FILE_EXISTS'
  | 'FILE_NOT_FOUND'
  | 'FILE_NOT_SIGNED'
  | 'HEAD_KEY_REQUIRED'
  | 'JOURNAL_ARCHIVED'
  | 'NOTHING_TO_ARCHIVE'
  | 'PROOF_INVALID'
  | 'RUNS_BROKEN'
  | 'SHARD_IN_USE'
  | 'SNAPSHOT_BROKEN'
  | 'SNAPSHOT_REQUIRED';

/** A command cannot be carried out. The message says what is wrong and what is expected. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
