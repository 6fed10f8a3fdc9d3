/** The code of a version as one JSON text, `{"files": {path: text}}`: what is stored, hashed and downloaded. */

/** The same files make the same bytes: paths are in the order of their code units. */
export function toBundle(files: Record<string, string>): Buffer {
  const entries = Object.keys(files)
    .sort()
    .map((path) => `${JSON.stringify(path)}:${JSON.stringify(files[path])}`);
  return Buffer.from(`{"files":{${entries.join(',')}}}`);
}

/** The files of a bundle, in its order. */
export function readBundle(bytes: Uint8Array): Record<string, string> {
  return (
    JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as {
      files: Record<string, string>;
    }
  ).files;
}
