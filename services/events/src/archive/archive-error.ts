/** Why a command failed. Part of the interface of `npm run events`: added, never renamed. */
export type ArchiveErrorCode = 'ARCHIVE_DIFFERS' | 'ARCHIVED_MEANWHILE' | 'FILE_BROKEN' | 'FILES_NOT_CONTIGUOUS' | 'NO_DIRECTORY';

/** A command cannot be carried out. The message says what is wrong and what is expected. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
