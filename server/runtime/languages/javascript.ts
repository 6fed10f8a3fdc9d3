/** JavaScript and TypeScript: compiled into one module, which Deno runs directly. */
import type { Language } from './language.ts';

export const javascript: Language = {
  name: 'javascript',
  build: (source, { compile }) => compile(source),
  limits: { bootMs: 10_000, spares: (most) => most, processes: (most) => most },
  takesSmallCalls: true,
};
