/** Where in a function's code an error was thrown, from the stack of its run. */

export type Frame = { file: string; line: number; name: string | null };

const STACK_CHARS = 16_384;
/** `at parse (src/index.ts:2:9)`, `at index.ts:2:9`. */
const SCRIPT = /^\s{0,16}at (?:async )?(?:(.{1,200}?) \()?((?:file:\/\/)?[^\s():]{1,300}):(\d{1,9})(?::\d{1,9})?\)?$/;
/** `File "main.py", line 3, in handler`. */
const PYTHON = /^\s{0,16}File "([^"]{1,300})", line (\d{1,9})(?:, in (.{1,200}))?$/;
const FOREIGN =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages)\/|^(?:node|ext|npm|https?|file|deno|internal|asm|lib\/python)[:/]|^<|^\//;

/** The innermost frame in the function's files; null without one. */
export function topOwnFrame(stack: string | null | undefined): Frame | null {
  if (!stack) return null;
  const lines = stack.slice(0, STACK_CHARS).split('\n');
  for (const line of lines) {
    const [, name = null, file = '', at = ''] = SCRIPT.exec(line) ?? [];
    if (file && !FOREIGN.test(file)) return { file, line: Number(at), name: nameOf(name) };
  }
  // Python prints the innermost frame last.
  for (const line of lines.toReversed()) {
    const [, file = '', at = '', name = null] = PYTHON.exec(line) ?? [];
    if (file && !FOREIGN.test(file)) return { file, line: Number(at), name: nameOf(name) };
  }
  return null;
}

/** `Object.fetch` and `new Order`: the name without what is not of the code. */
function nameOf(name: string | null): string | null {
  const plain = name
    ?.replace(/^(?:new |async )+/, '')
    .replace(/^(?:Object|Module|exports)\./, '')
    .replace(/ \[as .*\]$/, '');
  return !plain || /^(?:<anonymous>|<module>|anonymous|eval)$/.test(plain) ? null : plain;
}
