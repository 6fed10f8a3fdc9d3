/** Python: CPython as WebAssembly (Pyodide) within Deno. A version's code is its files, unchanged. */
import type { Language } from './language.ts';
import { buildPython } from './python/build.ts';
import { createInterpreter } from './python/interpreter.ts';

export const python: Language = {
  name: 'python',
  build: (source, { inTurn, run }) => inTurn(() => buildPython(run, source)),
  openInterpreter: createInterpreter,
  limits: {
    bootMs: 60_000,
    // An interpreter takes ten times the memory of a process without one.
    spares: (most) => Math.min(most, 1),
    processes: (most) => Math.max(1, Math.floor(most / 5)),
  },
  takesSmallCalls: false,
};
