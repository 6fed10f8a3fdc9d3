/** Finds the file and export that a handler such as "src/index.handler" names. */
import { inFile } from './build-error.ts';
import { findFile } from './resolve-import.ts';

export type Entry = {
  /** The path of the file: "src/index.ts". */
  file: string;
  exportName: string;
  /** The complete handler, as stored with the version: "src/index.default". */
  handler: string;
};

const DEFAULT_ENTRIES = ['index', 'src/index', 'main', 'src/main'];
const CODE = /\.[cm]?[jt]sx?$/;

/** Finds the entry, or throws a BuildError that lists the files. Without a handler, the usual paths are tried. */
export function findEntry(handler: string | undefined, files: ReadonlySet<string>): Entry {
  if (!handler) return defaultEntry(files);
  const dot = handler.lastIndexOf('.');
  const target = handler.slice(0, dot);
  const exportName = handler.slice(dot + 1);
  const file = dot > 0 ? findFile(target, files) : undefined;
  if (file && CODE.test(file)) return { file, exportName, handler };
  throw inFile(
    target || handler,
    dot > 0
      ? `The handler "${handler}" needs a file "${target}"; found ${listed([...files].filter((each) => CODE.test(each)))}`
      : `The handler "${handler}" should be a file and an export, such as index.default`,
  );
}

function defaultEntry(files: ReadonlySet<string>): Entry {
  for (const target of DEFAULT_ENTRIES) {
    const file = findFile(target, files);
    if (file && CODE.test(file)) return { file, exportName: 'default', handler: `${target}.default` };
  }
  throw inFile(
    'index.ts',
    'Expected a file index.ts, index.js, src/index.ts or main.ts, or a handler that names another',
  );
}

/** "a, b and c", or "nothing"; long lists are shortened. */
export function listed(names: string[]): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, 10).sort();
  if (names.length > shown.length) return `${shown.join(', ')} and ${names.length - shown.length} more`;
  const last = shown.pop();
  return shown.length ? `${shown.join(', ')} and ${last}` : `${last}`;
}
