import { containing } from './like.ts';

/**
 * LIKE patterns that match a text in JSON stored as received: the text may occur literally or with the escapes of its
 * sender. All senders escape quotes and line ends, Python also non-ASCII characters, PHP slashes, Go angle brackets.
 */
export function patternsInJson(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  // The case of an escape's letter is independent of the case of its digits.
  const ascii = [escaped, escaped.toLowerCase(), escaped.toUpperCase()].map((each) =>
    each.replace(/[^\0-~]/g, asEscape),
  );
  const both = /[^\0-~]/.test(escaped) ? [escaped, ...ascii] : [escaped];
  const forms = [text, ...both, ...both.map((each) => each.replaceAll('/', '\\/'))];
  const all = [...forms, ...forms.slice(1).map((each) => each.replace(/[<>&]/g, asEscape))];
  return [...new Set(all)].map(containing);
}

const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
