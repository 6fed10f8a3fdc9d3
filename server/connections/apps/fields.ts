import { RE2JS } from 're2js';
import type { FieldDefinition } from './definition.ts';

const MAX_CHARS = 4096;
const MAX_CHARS_MULTILINE = 16_384;
const ASCII = /^[\x20-\x7e]+$/;
const ASCII_LINES = /^[\x20-\x7e\r\n]+$/;
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/;

/**
 * Validates entered values against the fields of a method. Returns the values to store, and every problem as
 * `fields.<name>: expected …`. Values are trimmed. Secrets are not, since a password may begin or end with a space:
 * only trailing line breaks are removed, which copying a key often adds. Values that can be sent in a header must be
 * ASCII; a user name and a password are sent encoded and may be any `text`.
 */
export function checkFields(
  wanted: FieldDefinition[],
  given: Record<string, string>,
  chars: 'ascii' | 'text' = 'ascii',
): { values: Record<string, string>; problems: string[] } {
  const values: Record<string, string> = {};
  const problems = Object.keys(given)
    .filter((name) => !wanted.some((field) => field.name === name))
    .map((name) => `fields.${name.slice(0, 100)}: unknown field`);
  for (const field of wanted) {
    const entered = typedValue(field, Object.hasOwn(given, field.name) ? (given[field.name] ?? '') : '');
    const value = entered === '' ? (field.default ?? '') : entered;
    const problem = problemOf(field, value, chars);
    if (problem) problems.push(`fields.${field.name}: ${problem}`);
    else if (value !== '') values[field.name] = value;
  }
  return { values, problems };
}

function typedValue({ secret, type }: FieldDefinition, text: string): string {
  const plain = text.trim();
  return plain === '' || !(secret || type === 'password') ? plain : text.replace(/[\r\n]+$/, '');
}

/** The values, with the default of each field without one: it may have been added to the app since. */
export function withDefaults(fields: FieldDefinition[], values: Record<string, string>): Record<string, string> {
  const given = fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  return { ...(Object.fromEntries(given) as Record<string, string>), ...values };
}

/** The values, with an empty string for each field without one. */
export function withBlanks(fields: FieldDefinition[], values: Record<string, string>): Record<string, string> {
  return { ...Object.fromEntries(fields.map(({ name }) => [name, ''])), ...values };
}

/** Never includes the value: it may be a secret with one wrong character. */
function problemOf(field: FieldDefinition, value: string, chars: 'ascii' | 'text'): string | null {
  if (value === '') return field.required ? 'expected a value' : null;
  const lines = field.type === 'multiline';
  const max = lines ? MAX_CHARS_MULTILINE : MAX_CHARS;
  if (value.length > max) return `expected at most ${max} characters`;
  if (lines && !ASCII_LINES.test(value)) return 'expected ASCII characters';
  if (!lines && chars === 'text' && !(ONE_LINE.test(value) && value.isWellFormed()))
    return 'expected one line without control characters';
  if (!lines && chars === 'ascii' && !ASCII.test(value)) return 'expected one line of ASCII characters';
  if (field.pattern !== null && !RE2JS.compile(field.pattern).matches(value)) {
    if (field.secret && RE2JS.compile(field.pattern).matches(value.trim()))
      return 'expected no space before or after this secret';
    return field.secret ? `expected a secret of the form ${field.pattern}` : `expected ${field.pattern}`;
  }
  return null;
}
