/**
 * Patterns for LIKE that find a text in JSON that is stored as it came: there it may appear as it is, or with escapes
 * of its sender. Quotes and line ends all do; Python everything beyond ASCII, PHP slashes, Go angle brackets.
 */
export function patternsInJson(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  // An escape is of one letter, and its case is not the case of its digits.
  const ascii = [escaped, escaped.toLowerCase(), escaped.toUpperCase()].map((each) =>
    each.replace(/[^\0-~]/g, asEscape),
  );
  const both = /[^\0-~]/.test(escaped) ? [escaped, ...ascii] : [escaped];
  const forms = [text, ...both, ...both.map((each) => each.replaceAll('/', '\\/'))];
  const all = [...forms, ...forms.slice(1).map((each) => each.replace(/[<>&]/g, asEscape))];
  return [...new Set(all)].map((each) => `%${each.replace(/[\\%_]/g, '\\$&')}%`);
}

const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
