/**
 * Placeholders in the path and the query of a destination's URL, and in the values of its headers. The scheme, the host
 * and the port are literal, so that the address that was checked is the one that is sent to.
 */
import { parseTemplate, renderTemplate, type Template, TemplateError, type TemplateValues } from './body-template.ts';

const PLACEHOLDER = /\{\{.*?\}\}/gs;
/** A placeholder before the path; a parser of URLs skips any number of slashes and backslashes after the scheme. */
const IN_ORIGIN = /^[a-z]+:[/\\]*[^/?#\\]*\{\{/i;
/** A segment that a parser of URLs removes, together with the segment before it. */
const DOTS = /^(?:\.|%2e){1,2}$/i;
const URL_MAX_CHARS = 8_192;
const HEADER_MAX_CHARS = 4_096;

type Parse = (text: string) => unknown;
export type Rendered = { text: string } | { problem: string };

/** Whether a URL or the value of a header has a placeholder. */
export const hasPlaceholders = (text: string): boolean => text.includes('{{');

/** A URL with a letter for each placeholder: a URL of the same host that can be checked. In an email's there are none. */
export const plainUrl = (text: string): string =>
  /^(?:https?|connection):/i.test(text) ? text.replace(PLACEHOLDER, 'x') : text;

/** Reads a URL with placeholders. Throws TemplateError if one is invalid, or not in the path or the query. */
export function parseUrlTemplate(text: string): Template {
  const template = parseTemplate(text);
  if (IN_ORIGIN.test(text))
    throw new TemplateError(`position ${text.indexOf('{{') + 1}: expected placeholders in the path and the query only`);
  if (segmentsOf(plainUrl(text)).some((segment) => DOTS.test(segment)))
    throw new TemplateError('expected no segments . or .. in a URL with placeholders');
  return template;
}

const segmentsOf = (url: string): string[] => {
  const [path = ''] = url.replace(/^[a-z]+:[/\\]*/i, '').split('?');
  return path.split(/[/\\]/).slice(1);
};

/**
 * Renders a URL. Each value is percent-encoded, so it never adds a segment or a parameter. A missing value is empty in
 * the query. In the path it is a problem, because the URL would be that of another resource.
 */
export function renderUrl(template: Template, values: TemplateValues, parse?: Parse): Rendered {
  let missing: string | undefined;
  const text = renderTemplate(template, values, parse, (value, before, path) => {
    if (value === '' && !before.includes('?')) missing ??= path.join('.');
    return encodeURIComponent(value.toWellFormed());
  });
  if (missing !== undefined) return { problem: `The URL’s path needs ${missing}, which has no value.` };
  if (text === undefined || text.length > URL_MAX_CHARS)
    return { problem: `The URL is longer than ${URL_MAX_CHARS} characters.` };
  if (segmentsOf(text).some((segment) => DOTS.test(segment)))
    return { problem: 'The URL’s path would have a segment . or .., which leads to another resource.' };
  return { text };
}

/** Renders the value of a header as text. Control characters, such as line breaks, are a problem. */
export function renderHeader(name: string, template: Template, values: TemplateValues, parse?: Parse): Rendered {
  const text = renderTemplate(template, values, parse, 'text')?.trim();
  if (text === undefined || text.length > HEADER_MAX_CHARS)
    return { problem: `The header ${name} is longer than ${HEADER_MAX_CHARS} characters.` };
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text))
    return { problem: `The header ${name} would contain a line break or another control character.` };
  return { text };
}

/** Why a body template never renders a JSON object, which a form requires; null if it may. */
export function formProblem(template: Template): string | null {
  const [first] = template;
  if (first && (!('text' in first) || first.text.trimStart() === '' || first.text.trimStart().startsWith('{')))
    return null;
  return 'expected an object, as each of its members is a field';
}

/**
 * The fields of a JSON object as `application/x-www-form-urlencoded`. An array is a field for each of its elements, a
 * nested object is written as JSON, and null is omitted.
 */
export function formOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = Object.entries(value).flatMap(([name, given]: [string, unknown]) =>
    (Array.isArray(given) ? (given as unknown[]) : [given])
      .filter((each) => each !== null)
      .map((each): [string, string] => [name, typeof each === 'string' ? each : JSON.stringify(each)]),
  );
  return new URLSearchParams(fields).toString();
}
