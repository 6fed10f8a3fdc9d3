/** The code of a version as one JSON text, `{"files": {path: text}}`: stored, hashed and downloaded in this form. */

/** Equal files give equal bytes: paths are sorted by code unit. */
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
