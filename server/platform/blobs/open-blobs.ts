/** The kinds of blob stores. Add a new kind here and to BlobsDescription. */
import type { BlobReader, Blobs, BlobsDescription } from './blobs.ts';
import { folderBlobs, folderReader } from './folder-blobs.ts';

export function openBlobs(description: BlobsDescription): Blobs {
  switch (description.kind) {
    case 'folder':
      return folderBlobs(description.folder);
  }
}

export function openBlobReader(description: BlobsDescription): BlobReader {
  switch (description.kind) {
    case 'folder':
      return folderReader(description.folder);
  }
}
