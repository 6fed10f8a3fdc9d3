/**
 * Reads a guide of docs/guides/ as steps, in their order:
 *
 * - a fence `sh` is run by bash with the variables of the fences before it; a fence `text` after it has lines of its output;
 * - a fence with a file name (`ts index.ts`) writes that file for the commands;
 * - "Open `/events`" opens a page of the console, or the URL in a variable;
 * - "press **Replay**" presses a button, a link or a tab, "enter `text` in **Name**" fills a field, "choose **GitHub**" a
 *   choice; any other **label** is on the page;
 * - `<!-- receiver: 503 -->` is the status of the reader's endpoint from there on;
 * - `<!-- provider: agree -->` signs in at the reader's OAuth provider and agrees.
 */
export type Step =
  | { readonly kind: 'run'; readonly script: string; readonly output: readonly string[] }
  | { readonly kind: 'file'; readonly name: string; readonly content: string }
  | { readonly kind: 'open' | 'press' | 'choose' | 'see'; readonly what: string }
  | { readonly kind: 'enter'; readonly text: string; readonly what: string }
  | { readonly kind: 'receiver'; readonly status: number }
  | { readonly kind: 'agree' };

const FENCE = /^```(\S*) ?(\S*)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?/ms;
const RECEIVER = /<!-- receiver: (\d+) -->/;
const AGREE = /<!-- provider: (agree) -->/;
const OPEN = /[Oo]pen\s+`([^`]+)`/;
const ENTER = /enter `([^`]+)`\s+in\s+\*\*([^*]+)\*\*/;
const LABEL = /(?:(press|choose)\s+)?\*\*([^*]+)\*\*/i;
const STEP = new RegExp([FENCE, RECEIVER, AGREE, OPEN, ENTER, LABEL].map(({ source }) => source).join('|'), 'gms');

export const stepsOf = (guide: string): readonly Step[] => [...guide.matchAll(STEP)].flatMap(stepOf);

function stepOf([
  ,
  language,
  name,
  content = '',
  output,
  status,
  agree,
  page,
  text,
  field,
  verb,
  label,
]: RegExpExecArray): Step[] {
  if (language === 'sh') return [{ kind: 'run', script: content, output: (output ?? '').split('\n').filter(Boolean) }];
  if (language !== undefined) return name ? [{ kind: 'file', name, content }] : [];
  if (status !== undefined) return [{ kind: 'receiver', status: Number(status) }];
  if (agree !== undefined) return [{ kind: 'agree' }];
  if (page !== undefined) return [{ kind: 'open', what: page }];
  if (text !== undefined && field !== undefined) return [{ kind: 'enter', text, what: field }];
  const kind = verb?.toLowerCase() === 'press' ? 'press' : verb?.toLowerCase() === 'choose' ? 'choose' : 'see';
  return label === undefined ? [] : [{ kind, what: label.replace(/\s+/g, ' ') }];
}
