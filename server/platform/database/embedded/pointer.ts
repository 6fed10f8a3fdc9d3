import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The contents of `<data folder>/database.json`: the parts of the database outside the data folder. */
export type Pointer = { home?: string; socket_dir?: string };

export function readPointer(dataDir: string): Pointer {
  const path = join(dataDir, 'database.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Pointer) : {};
}

export function remember(dataDir: string, part: Pointer): void {
  const path = join(dataDir, 'database.json');
  writeFileSync(`${path}.new`, JSON.stringify({ ...readPointer(dataDir), ...part }));
  renameSync(`${path}.new`, path);
}
