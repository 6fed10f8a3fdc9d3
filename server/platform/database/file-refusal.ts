import { Refusal } from './refusal.ts';

const ELSEWHERE = 'Set SLUICE_DATA_DIR to a folder this user may write to, or DATABASE_URL to a PostgreSQL server.';

/** Converts a file system error during the preparation of `path` into a refusal for the operator. */
export function fileRefusal(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return new Refusal(`This user may not write to ${path}.`, ELSEWHERE, { cause: error });
    case 'EROFS':
      return new Refusal(`${path} is on a read-only file system.`, ELSEWHERE, { cause: error });
    case 'ENOTDIR':
    case 'EEXIST':
      return new Refusal(`${path} can't be the data folder because a file is in its way.`, ELSEWHERE, {
        cause: error,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(path, error);
    default:
      return error;
  }
}

/** The refusal for a full disk. */
export function diskFull(path: string, cause?: unknown): Refusal {
  return new Refusal(
    `The disk that holds ${path} is full.`,
    'Free some space there, or set SLUICE_DATA_DIR to a folder on another disk.',
    { cause },
  );
}
