import { Failure } from '../lib/failure.ts';
import { BlobUnavailable } from '../platform/blobs/blobs.ts';
import type { Services } from '../platform/context.ts';

/** Reads a function's code or build; 503 when the blob store is unavailable, with the cause in the log. */
export async function readBlob({ blobs, log }: Pick<Services, 'blobs' | 'log'>, sha256: string): Promise<Buffer> {
  try {
    return await blobs.get(sha256);
  } catch (error) {
    if (!(error instanceof BlobUnavailable)) throw error;
    log.error(
      { err: error, blob_sha256: sha256, cause: error.cause_code },
      'code could not be read from the blob store',
    );
    throw new Failure(
      503,
      `The code of this function cannot be read from the blob store (${error.cause_code}). Try again later; /readyz reports whether the store is available.`,
      { headers: { 'Retry-After': '5' } },
    );
  }
}
