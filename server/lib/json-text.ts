/**
 * Functions on JSON text: stored and forwarded JSON keeps its original bytes, so it is cut and never serialized again.
 */

const SPACE = /^[\t\n\r ]+|[\t\n\r ]+$/g;

/** The texts of the items of an array. `text` is valid JSON whose outermost value is an array. */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = -1;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') i = endOfString(text, i);
    else if (c === '[' || c === '{') {
      if (depth++ === 0) from = i + 1;
    } else if (c === ']' || c === '}') {
      if (--depth === 0) items.push(text.slice(from, i));
    } else if (c === ',' && depth === 1) {
      items.push(text.slice(from, i));
      from = i + 1;
    }
  }
  const cut = items.map((item) => item.replace(SPACE, ''));
  return cut.length === 1 && cut[0] === '' ? [] : cut;
}

/**
 * The text of an object's member; the last one if the name is repeated. `text` is valid JSON whose outermost value is
 * an object.
 */
export function memberOf(text: string, name: string): string | undefined {
  const member = itemsOf(text).findLast((each) => JSON.parse(each.slice(0, endOfString(each, 0) + 1)) === name);
  return member?.slice(endOfString(member, 0) + 1).replace(/^[\t\n\r ]*:[\t\n\r ]*/, '');
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i;
}
