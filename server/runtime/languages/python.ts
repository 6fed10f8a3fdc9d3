/** Python: CPython as WebAssembly (Pyodide) in Deno. The built code of a version is its unchanged files. */
import type { Language } from './language.ts';
import { buildPython } from './python/build.ts';
import { createInterpreter } from './python/interpreter.ts';

export const python: Language = {
  name: 'python',
  build: (source, { inTurn, run }) => inTurn(() => buildPython(run, source)),
  openInterpreter: createInterpreter,
  limits: {
    bootMs: 60_000,
    // An interpreter uses ten times the memory of a JavaScript process.
    spares: (most) => Math.min(most, 1),
    processes: (most) => Math.max(1, Math.floor(most / 5)),
  },
  takesSmallCalls: false,
};
