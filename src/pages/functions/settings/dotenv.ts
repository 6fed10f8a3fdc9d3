/** Parses a .env file: KEY=value lines, quotes, comments, `export`, and quoted values of several lines. */
export type EnvLine = { readonly key: string; readonly value: string; readonly line: number };
export type EnvMistake = { readonly line: number; readonly text: string };

const ASSIGN = /^\s*(?:export\s+)?([^\s=]+)\s*=\s*/;
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/** The last value of a repeated key counts, as in a shell. */
export function readDotenv(text: string): { variables: readonly EnvLine[]; mistakes: readonly EnvMistake[] } {
  const found = new Map<string, EnvLine>();
  const mistakes: EnvMistake[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const first = lines[index] ?? '';
    const line = index + 1;
    if (/^\s*(#|$)/.test(first)) continue;
    const assign = ASSIGN.exec(first);
    const key = assign?.[1] ?? '';
    if (!assign) {
      mistakes.push({ line, text: 'Enter KEY=value.' });
      continue;
    }
    if (!KEY.test(key)) {
      mistakes.push({ line, text: `${key}: use letters, digits and _, and don’t start with a digit.` });
      continue;
    }
    let rest = first.slice(assign[0].length);
    const quote = rest[0];
    if (quote === '"' || quote === "'") {
      while (closing(rest, quote) < 0 && index + 1 < lines.length) {
        index += 1;
        rest += `\n${lines[index] ?? ''}`;
      }
      const end = closing(rest, quote);
      if (end < 0) {
        mistakes.push({ line, text: `${key}: the quote is never closed.` });
        continue;
      }
      const inner = rest.slice(1, end);
      found.set(key, { key, line, value: quote === '"' ? unescaped(inner) : inner });
    } else {
      found.set(key, { key, line, value: rest.replace(/\s+#.*$/, '').trim() });
    }
  }
  return { variables: [...found.values()], mistakes };
}

/** The index of the closing quote. */
function closing(text: string, quote: string): number {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

const unescaped = (text: string): string => text.replace(/\\(.)/gs, (pair, char: string) => ESCAPES[char] ?? pair);
