/** Words of a POSIX shell command: quotes, `$'…'` and continued lines. Variables stay as they are written. */

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', a: '\x07', e: '\x1b' };

/** Undefined if a quote has no end. Stops at the end of the first command: a line end, `;`, `|` or `&`. */
export function shellWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const add = (part: string) => {
    word = (word ?? '') + part;
  };
  while (at < text.length) {
    const c = text[at] ?? '';
    if (c === '\\') {
      if (/^\r?\n/.test(text.slice(at + 1, at + 3))) at += text[at + 1] === '\r' ? 3 : 2;
      else {
        add(text[at + 1] ?? '');
        at += 2;
      }
      continue;
    }
    const quoted =
      c === "'" ? single(text, at) : c === '"' ? double(text, at) : text.startsWith("$'", at) ? ansi(text, at) : null;
    if (quoted === undefined) return undefined;
    if (quoted !== null) {
      add(quoted.value);
      at = quoted.end;
      continue;
    }
    if (/[\n;|&]/.test(c)) break;
    if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else add(c);
    at++;
  }
  if (word !== undefined) words.push(word);
  return words;
}

type Quoted = { value: string; end: number } | undefined;

function single(text: string, start: number): Quoted {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? undefined : { value: text.slice(start + 1, end), end: end + 1 };
}

function double(text: string, start: number): Quoted {
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === '"') return { value, end: at + 1 };
    const next = text[at + 1] ?? '';
    if (c === '\\' && /["\\$`\n]/.test(next)) {
      if (next !== '\n') value += next;
      at++;
    } else value += c;
  }
  return undefined;
}

function ansi(text: string, start: number): Quoted {
  let value = '';
  for (let at = start + 2; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === "'") return { value, end: at + 1 };
    if (c !== '\\') {
      value += c;
      continue;
    }
    const code = /^(?:u([\da-f]{1,4})|x([\da-f]{1,2}))/i.exec(text.slice(at + 1, at + 6));
    if (code) {
      value += String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? '', 16));
      at += code[0].length;
    } else {
      at++;
      value += ESCAPES[text[at] ?? ''] ?? text[at] ?? '';
    }
  }
  return undefined;
}
