import { Failure } from '../lib/failure.ts';
import { BlobUnavailable } from '../platform/blobs/blobs.ts';
import type { Services } from '../platform/context.ts';

/** Reads a function's code or build; 503 when it is not in the database, with the cause in the log. */
export async function readBlob({ blobs, log }: Pick<Services, 'blobs' | 'log'>, sha256: string): Promise<Buffer> {
  try {
    return await blobs.get(sha256);
  } catch (error) {
    if (!(error instanceof BlobUnavailable)) throw error;
    log.error({ err: error, blob_sha256: sha256, cause: error.cause_code }, 'code could not be read from the database');
    throw new Failure(
      503,
      `The code of this function is ${error.cause_code === 'DAMAGED' ? 'damaged' : 'not'} in the database. Deploy it again; the log of the service has the cause.`,
      { headers: { 'Retry-After': '5' } },
    );
  }
}
