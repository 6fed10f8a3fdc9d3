type Paths = readonly (readonly string[])[];

/** Deeper JSON is returned unchanged. */
const DEPTH_MAX = 200;
const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class NotJson extends Error {}

/**
 * Replaces strings in a JSON text, at paths of member names and indexes; `*` matches each. All other characters stay as
 * they are. Returns the text unchanged if it is not valid JSON, or is nested too deeply.
 */
export function rewriteStrings(text: string, paths: Paths, change: (value: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;

  const skipSpace = () => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  };
  const take = (token: RegExp): string => {
    token.lastIndex = at;
    const [found] = token.exec(text) ?? [];
    if (found === undefined) throw new NotJson();
    at = token.lastIndex;
    return found;
  };
  const takeIf = (char: string): boolean => {
    skipSpace();
    if (text[at] !== char) return false;
    at++;
    return true;
  };
  const expect = (char: string) => {
    if (!takeIf(char)) throw new NotJson();
  };

  const readString = (isWanted: boolean) => {
    const from = at;
    const written = take(STRING);
    if (!isWanted) return;
    const before: string = JSON.parse(written);
    const after = change(before);
    if (after === before) return;
    parts.push(text.slice(copied, from), JSON.stringify(after));
    copied = at;
  };
  /** `open`: the rest of each path that leads here. */
  const read = (open: Paths, depth: number) => {
    if (depth > DEPTH_MAX) throw new NotJson();
    skipSpace();
    const first = text[at];
    if (first === '"') readString(open.some((path) => path.length === 0));
    else if (first === '{') readMembers(open, depth);
    else if (first === '[') readItems(open, depth);
    else take(SCALAR);
  };
  const readMembers = (open: Paths, depth: number) => {
    at++;
    if (takeIf('}')) return;
    do {
      skipSpace();
      const name: string = open.length > 0 ? JSON.parse(take(STRING)) : take(STRING);
      expect(':');
      read(below(open, name), depth + 1);
    } while (takeIf(','));
    expect('}');
  };
  const readItems = (open: Paths, depth: number) => {
    at++;
    if (takeIf(']')) return;
    let index = 0;
    do read(below(open, String(index++)), depth + 1);
    while (takeIf(','));
    expect(']');
  };

  try {
    read(paths, 0);
    skipSpace();
    if (at < text.length) return text;
  } catch (error) {
    if (error instanceof NotJson) return text;
    throw error;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

const NONE: Paths = [];

function below(open: Paths, name: string): Paths {
  if (open.length === 0) return NONE;
  return open.filter(([first]) => first === name || first === '*').map((path) => path.slice(1));
}
