/**
 * A page walked by its keys. What can be pressed is gathered first; then Tab is pressed from the top until it leaves
 * the page, and at each stop the page itself writes down where the focus stands, so that a walk costs no more than its
 * keys. Groups that Tab enters once (radios, trees) are walked by arrow keys afterwards.
 */
import type { Page } from '@playwright/test';

type Group = { readonly at: number; readonly members: number; readonly key: 'j' | 'ArrowRight' | 'ArrowDown' };
type Walk = {
  /** Gathers what can be pressed, and puts the focus at the very top. How many there are. */
  begin(): number;
  /** Stops by now; whether Tab has left the page; whether it stands in an editor that keeps it. */
  state(): { stops: number; left: boolean; held: boolean };
  /** Groups of which Tab reached one member and others are left. */
  groups(): Group[];
  focus(at: number): void;
  troubles(groups: boolean): string[];
};
declare global {
  interface Window {
    keyboardWalk?: Walk;
  }
}

/** Runs in the page, before anything of it. */
function install(): void {
  const PRESSABLE = `a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [contenteditable=true],
    [tabindex]:not([tabindex="-1"]), ${['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option', 'treeitem', 'slider', 'combobox', 'textbox', 'searchbox'].map((role) => `[role=${role}]`).join(', ')}`;
  const GROUP =
    '[role=radiogroup], [role=tablist], [role=tree], [role=grid], [role=treegrid], [role=listbox], [role=toolbar], [role=menu]';
  type Looks = string[];
  let all: HTMLElement[] = [];
  let before = new Map<HTMLElement, Looks>();
  let reached = new Set<HTMLElement>();
  let found: string[] = [];
  let last: HTMLElement | undefined;
  let stops = 0;
  let left = false;
  let walking = false;

  const name = (element: Element) => {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '')
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, 40);
    const label = words || ((element as HTMLInputElement).labels?.[0]?.textContent ?? element.id);
    return `${element.localName}${element.role ? `[${element.role}]` : ''} “${label}”`;
  };
  const editorOf = (element: Element) => element.closest('.monaco-editor');
  const isEditorInput = (element: Element) => element.matches('textarea, .native-edit-context');
  /** What a person would take it for: an editor's input is as large as the editor, a radio as its label. */
  const body = (element: HTMLElement): Element =>
    editorOf(element) ??
    (element.matches('input[type=radio], input[type=checkbox]') ? element.closest('label') : null) ??
    element;
  const isShown = (element: HTMLElement) => {
    const { width, height } = body(element).getBoundingClientRect();
    return (
      width > 1 &&
      height > 1 &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[inert], [aria-hidden=true]')
    );
  };
  /** Under a panel that takes a part of the page; the focus goes past it. */
  const isUnderPanel = (element: HTMLElement) => {
    const panel = document.querySelector('[data-panel-over]');
    const { left: x, top: y, width, height } = element.getBoundingClientRect();
    return (
      panel !== null &&
      !panel.contains(element) &&
      panel.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    );
  };
  const isPressable = (element: HTMLElement) =>
    isShown(element) &&
    !isUnderPanel(element) &&
    !element.matches(':disabled, [aria-disabled=true], [data-base-ui-focus-guard], [data-base-ui-focus-guard] *') &&
    (editorOf(element) ? isEditorInput(element) : true);
  const round = (element: Element): Element[] => {
    const near: Element[] = [element];
    for (let up = element.parentElement; up && near.length < 5; up = up.parentElement) near.push(up);
    if (element.nextElementSibling) near.push(element.nextElementSibling);
    return near;
  };
  const looks = (element: HTMLElement): Looks =>
    round(editorOf(element) ?? element).map((each) => {
      const style = getComputedStyle(each);
      const outline = style.outlineStyle === 'none' ? '' : `${style.outlineWidth} ${style.outlineColor}`;
      return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.textDecorationLine].join();
    });
  /** How much of the four sides of its outline nothing cuts off. */
  const sides = (element: HTMLElement): number => {
    const shown = round(body(element)).find((each) => getComputedStyle(each).outlineStyle !== 'none');
    if (!shown) return 4;
    const style = getComputedStyle(shown);
    const reach = Number.parseFloat(style.outlineOffset) + 1;
    const box = shown.getBoundingClientRect();
    let [top, right, bottom, start] = [box.top - reach, box.right + reach, box.bottom + reach, box.left - reach];
    const clip = { top: 0, right: innerWidth, bottom: innerHeight, left: 0 };
    for (let up = shown.parentElement; up; up = up.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(up);
      const edge = up.getBoundingClientRect();
      if (/auto|scroll|hidden/.test(overflowX)) {
        clip.left = Math.max(clip.left, edge.left);
        clip.right = Math.min(clip.right, edge.right);
      }
      if (/auto|scroll|hidden/.test(overflowY)) {
        clip.top = Math.max(clip.top, edge.top);
        clip.bottom = Math.min(clip.bottom, edge.bottom);
      }
      if (position === 'fixed') break;
    }
    top -= clip.top;
    start -= clip.left;
    right -= clip.right;
    bottom -= clip.bottom;
    return [top >= -0.5, start >= -0.5, right <= 0.5, bottom <= 0.5].filter(Boolean).length;
  };
  /** Something of it lies on top, at one of nine points. */
  const isOnTop = (element: HTMLElement): boolean => {
    const target = body(element);
    const { left: x, top: y, width, height } = target.getBoundingClientRect();
    return [0.5, 0.1, 0.9].some((across) =>
      [0.5, 0.1, 0.9].some((down) => {
        const hit = document.elementFromPoint(x + width * across, y + height * down);
        return hit !== null && (target.contains(hit) || hit.contains(target));
      }),
    );
  };
  /** A list that grew above it may have moved it away since it got the focus. */
  const isOnTopOnceInView = (element: HTMLElement): boolean => {
    if (isOnTop(element)) return true;
    element.scrollIntoView({ block: 'nearest' });
    return isOnTop(element);
  };
  /** Against the order of reading: wholly above the one before, and not in a column right of it. */
  const isBackward = (from: HTMLElement, to: HTMLElement): boolean => {
    const [a, b] = [body(from).getBoundingClientRect(), body(to).getBoundingClientRect()];
    return b.bottom <= a.top - 4 && b.left < a.right;
  };
  const check = (element: HTMLElement) => {
    if (!isShown(element)) found.push(`${name(element)} has the focus and can’t be seen`);
    else if (!isOnTopOnceInView(element))
      found.push(`${name(element)} has the focus under something else or out of the window`);
    const was = before.get(element);
    const is = looks(element);
    const isEditor = editorOf(element)?.classList.contains('focused') === true;
    if (was && !isEditor && is.join() === was.join()) found.push(`${name(element)} has the focus and looks as before`);
    else if (!isEditor && sides(element) < 2) found.push(`the outline of ${name(element)} is cut off`);
    let opacity = 1;
    for (let up: Element | null = element; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    if (opacity < 0.3 && !element.matches('input') && !editorOf(element))
      found.push(`${name(element)} has the focus and is clear as glass`);
  };
  addEventListener(
    'keyup',
    () => {
      if (!walking || left) return;
      const at = document.activeElement;
      if (
        !(at instanceof HTMLElement) ||
        at === document.body ||
        at.matches('[data-walk-top]') ||
        (stops > 1 && at === all[0] && last !== at)
      ) {
        left = true;
        return;
      }
      stops++;
      if (reached.has(at)) {
        last = at;
        return;
      }
      reached.add(at);
      check(at);
      if (last?.isConnected && isBackward(last, at)) found.push(`from ${name(last)} back up to ${name(at)}`);
      last = at;
    },
    true,
  );
  const radiosOf = (element: HTMLInputElement) =>
    all.filter((each) => each instanceof HTMLInputElement && each.type === 'radio' && each.name === element.name);
  const groupOf = (element: HTMLElement): HTMLElement[] => {
    if (element instanceof HTMLInputElement && element.type === 'radio') return radiosOf(element);
    if (element.matches('[data-row-link]'))
      return all.filter(
        (each) => each.matches('[data-row-link]') && each.closest('table') === element.closest('table'),
      );
    const group = element.parentElement?.closest(GROUP) ?? (element.matches(GROUP) ? element : null);
    return group ? all.filter((each) => group.contains(each)) : [element];
  };
  window.keyboardWalk = {
    begin() {
      (document.activeElement as HTMLElement | null)?.blur();
      const top = document.createElement('div');
      top.tabIndex = -1;
      top.dataset['walkTop'] = '';
      document.querySelector('[data-walk-top]')?.remove();
      document.body.prepend(top);
      top.focus({ preventScroll: true });
      all = [...document.querySelectorAll<HTMLElement>(PRESSABLE)].filter(isPressable);
      before = new Map(all.map((each) => [each, looks(each)]));
      reached = new Set();
      found = [];
      last = undefined;
      stops = 0;
      left = false;
      walking = true;
      return all.length;
    },
    state: () => ({
      stops,
      left,
      held: !left && last !== undefined && document.activeElement === last && editorOf(last) !== null,
    }),
    groups() {
      left = false;
      last = undefined;
      return all.flatMap((each, at) => {
        const members = groupOf(each);
        // radios of one name are walked by the browser itself
        const isRadio = each instanceof HTMLInputElement && each.type === 'radio';
        const isEntered =
          members.length > 1 && !isRadio && reached.has(each) && members.some((member) => !reached.has(member));
        const key = each.matches('[data-row-link]')
          ? 'j'
          : each.closest('[role=tree], [role=listbox]')
            ? 'ArrowDown'
            : 'ArrowRight';
        return isEntered ? [{ at, members: members.length, key }] : [];
      });
    },
    focus: (at) => all[at]?.focus(),
    troubles(groups) {
      walking = false;
      // a table has one row in the tab order: what stands in the others is reached once their row is
      const isRowOf = (each: Element) => {
        const row = each.closest('[data-row]');
        const link = row?.querySelector<HTMLElement>('[data-row-link]');
        return (
          link !== undefined && link !== null && link !== each && reached.has(link) && each.matches('[tabindex="-1"]')
        );
      };
      const isEntered = (each: HTMLElement) =>
        (!groups || (each instanceof HTMLInputElement && each.type === 'radio')) &&
        groupOf(each).some((member) => reached.has(member));
      const missed = all.filter(
        (each) => each.isConnected && !reached.has(each) && isPressable(each) && !isRowOf(each) && !isEntered(each),
      );
      return [...found, ...missed.map((each) => `${name(each)} can’t be reached`)];
    },
  };
}

/** For a page before it is opened. */
export const watchKeys = (page: Page) => page.addInitScript(install);

const state = (page: Page) =>
  page.evaluate(() => window.keyboardWalk?.state() ?? { stops: 0, left: true, held: false });

/** Walks the page that is shown. What is wrong with it, in words. Without `groups` one of a group stands for all. */
export async function walkByKeys(page: Page, groups: boolean): Promise<string[]> {
  // what a changed window brings about is there after two frames, and after what these bring about: a panel takes the focus
  await page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done(0), { timeout: 300 }))),
      ),
  );
  const count = await page.evaluate(() => window.keyboardWalk?.begin() ?? 0);
  let now = await state(page);
  for (let presses = 0; !now.left && presses < 2 * count + 20; ) {
    const batch = now.held ? 1 : 8;
    // an editor keeps Tab for itself until it is told not to
    if (now.held) await page.keyboard.press('Escape');
    for (let press = 0; press < batch; press++, presses++) await page.keyboard.press('Tab');
    now = await state(page);
  }
  const trapped = now.left ? [] : ['Tab never leaves the page'];
  const found = groups ? await page.evaluate(() => window.keyboardWalk?.groups() ?? []) : [];
  for (const { at, members, key } of found) {
    await page.evaluate((where) => window.keyboardWalk?.focus(where), at);
    // not every group goes round
    if (key === 'j') for (let press = 0; press < members; press++) await page.keyboard.press('k');
    else await page.keyboard.press('Home');
    for (let press = 0; press < members; press++) await page.keyboard.press(key);
  }
  return [...trapped, ...(await page.evaluate((each) => window.keyboardWalk?.troubles(each) ?? [], groups))];
}
