/**
 * Scripts that run in a page under test before its own scripts. Each function is sent as text, so it only knows its
 * arguments: the tools created by the functions before it.
 */

export type Group = { readonly at: number; readonly members: number; readonly key: 'j' | 'ArrowRight' | 'ArrowDown' };
/** The interface of the walk for the test. */
export type Walk = {
  /** Collects the controls and moves the focus to the top. Returns their number. */
  begin(): number;
  /** The number of stops; whether Tab has left the page; whether it is in an editor that captures it. */
  state(): { stops: number; left: boolean; held: boolean };
  /** Groups of which Tab reached one member only. */
  groups(): Group[];
  focus(at: number): void;
  troubles(groups: boolean): string[];
};
declare global {
  interface Window {
    keyboardWalk?: Walk;
  }
}

type Looks = string[];
type Tools = {
  /** The state of the walk. */
  walk: {
    all: HTMLElement[];
    before: Map<HTMLElement, Looks>;
    reached: Set<HTMLElement>;
    found: string[];
    last: HTMLElement | undefined;
    stops: number;
    left: boolean;
    walking: boolean;
  };
  name(element: Element): string;
  editorOf(element: Element): Element | null;
  /** The visible element for a control: an editor for its input, a label for its radio button. */
  body(element: HTMLElement): Element;
  isShown(element: HTMLElement): boolean;
  isPressable(element: HTMLElement): boolean;
  looks(element: HTMLElement): Looks;
  /** The share of the four sides of its outline that is not clipped. */
  sides(element: HTMLElement): number;
  isOnTopOnceInView(element: HTMLElement): boolean;
  /** Against the reading order: entirely above the previous one, and not in a column to its right. */
  isBackward(from: HTMLElement, to: HTMLElement): boolean;
  /** Examines the focused element. */
  check(element: HTMLElement): void;
  groupOf(element: HTMLElement): HTMLElement[];
  /** Controls that no key has reached. */
  missed(groups: boolean): HTMLElement[];
};

/** The name, visibility and availability of an element. */
export function seeing(tools: Tools): void {
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
  /** Under a panel that covers a part of the page; the focus skips it. */
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
  Object.assign(tools, { name, editorOf, body, isShown, isPressable });
}

/** The appearance of an element, to compare focused and unfocused. */
export function looking(tools: Tools): void {
  const { body, editorOf } = tools;
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
  Object.assign(tools, { looks, sides });
}

/** The position of an element, and the elements above it. */
export function placing(tools: Tools): void {
  const { body } = tools;
  /** It is the topmost element at one of nine points. */
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
  /** A list that grew above it may have moved it since it got the focus. */
  const isOnTopOnceInView = (element: HTMLElement): boolean => {
    if (isOnTop(element)) return true;
    element.scrollIntoView({ block: 'nearest' });
    return isOnTop(element);
  };
  const isBackward = (from: HTMLElement, to: HTMLElement): boolean => {
    const [a, b] = [body(from).getBoundingClientRect(), body(to).getBoundingClientRect()];
    return b.bottom <= a.top - 4 && b.left < a.right;
  };
  Object.assign(tools, { isOnTopOnceInView, isBackward });
}

/** The problems of the focused element. */
export function checking(tools: Tools): void {
  const { walk, name, editorOf, isShown, isOnTopOnceInView, looks, sides } = tools;
  const check = (element: HTMLElement) => {
    if (!isShown(element)) walk.found.push(`${name(element)} has the focus and can’t be seen`);
    else if (!isOnTopOnceInView(element))
      walk.found.push(`${name(element)} has the focus under something else or out of the window`);
    const was = walk.before.get(element);
    const is = looks(element);
    const isEditor = editorOf(element)?.classList.contains('focused') === true;
    if (was && !isEditor && is.join() === was.join())
      walk.found.push(`${name(element)} has the focus and looks as before`);
    else if (!isEditor && sides(element) < 2) walk.found.push(`the outline of ${name(element)} is cut off`);
    let opacity = 1;
    for (let up: Element | null = element; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    if (opacity < 0.3 && !element.matches('input') && !editorOf(element))
      walk.found.push(`${name(element)} has the focus and is clear as glass`);
  };
  Object.assign(tools, { check });
}

/** Records the focus after each key press. */
export function listening({ walk, name, check, isBackward }: Tools): void {
  addEventListener(
    'keyup',
    () => {
      if (!walk.walking || walk.left) return;
      const at = document.activeElement;
      if (
        !(at instanceof HTMLElement) ||
        at === document.body ||
        at.matches('[data-walk-top]') ||
        (walk.stops > 1 && at === walk.all[0] && walk.last !== at)
      ) {
        walk.left = true;
        return;
      }
      walk.stops++;
      if (walk.reached.has(at)) {
        walk.last = at;
        return;
      }
      walk.reached.add(at);
      check(at);
      if (walk.last?.isConnected && isBackward(walk.last, at))
        walk.found.push(`from ${name(walk.last)} back up to ${name(at)}`);
      walk.last = at;
    },
    true,
  );
}

/** Groups with one tab stop: other keys reach their members. */
export function grouping(tools: Tools): void {
  const GROUP =
    '[role=radiogroup], [role=tablist], [role=tree], [role=grid], [role=treegrid], [role=listbox], [role=toolbar], [role=menu]';
  const { walk } = tools;
  const radiosOf = (element: HTMLInputElement) =>
    walk.all.filter((each) => each instanceof HTMLInputElement && each.type === 'radio' && each.name === element.name);
  const groupOf = (element: HTMLElement): HTMLElement[] => {
    if (element instanceof HTMLInputElement && element.type === 'radio') return radiosOf(element);
    if (element.matches('[data-row-link]'))
      return walk.all.filter(
        (each) => each.matches('[data-row-link]') && each.closest('table') === element.closest('table'),
      );
    const group = element.parentElement?.closest(GROUP) ?? (element.matches(GROUP) ? element : null);
    return group ? walk.all.filter((each) => group.contains(each)) : [element];
  };
  Object.assign(tools, { groupOf });
}

/** Controls that the keys have not reached. */
export function missing(tools: Tools): void {
  const { walk, isPressable, groupOf } = tools;
  // a table has one row in the tab order: controls of other rows are reached when their row is active
  const isRowOf = (each: Element) => {
    const row = each.closest('[data-row]');
    const link = row?.querySelector<HTMLElement>('[data-row-link]');
    return (
      link !== undefined && link !== null && link !== each && walk.reached.has(link) && each.matches('[tabindex="-1"]')
    );
  };
  const missed = (groups: boolean) => {
    const { all, reached } = walk;
    const isEntered = (each: HTMLElement) =>
      (!groups || (each instanceof HTMLInputElement && each.type === 'radio')) &&
      groupOf(each).some((member) => reached.has(member));
    return all.filter(
      (each) => each.isConnected && !reached.has(each) && isPressable(each) && !isRowOf(each) && !isEntered(each),
    );
  };
  Object.assign(tools, { missed });
}

/** The interface for the test. */
export function answering(tools: Tools): void {
  const { walk, editorOf, isPressable, looks, groupOf } = tools;
  const PRESSABLE = `a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [contenteditable=true],
    [tabindex]:not([tabindex="-1"]), ${['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option', 'treeitem', 'slider', 'combobox', 'textbox', 'searchbox'].map((role) => `[role=${role}]`).join(', ')}`;
  window.keyboardWalk = {
    begin() {
      (document.activeElement as HTMLElement | null)?.blur();
      const top = document.createElement('div');
      top.tabIndex = -1;
      top.dataset['walkTop'] = '';
      document.querySelector('[data-walk-top]')?.remove();
      document.body.prepend(top);
      top.focus({ preventScroll: true });
      const all = [...document.querySelectorAll<HTMLElement>(PRESSABLE)].filter(isPressable);
      const before = new Map(all.map((each) => [each, looks(each)]));
      const fresh = { found: [], last: undefined, stops: 0, left: false, walking: true };
      Object.assign(walk, { all, before, reached: new Set(), ...fresh });
      return all.length;
    },
    state() {
      const { stops, left, last } = walk;
      const held = !left && last !== undefined && document.activeElement === last && editorOf(last) !== null;
      return { stops, left, held };
    },
    groups() {
      walk.left = false;
      walk.last = undefined;
      const { all, reached } = walk;
      return all.flatMap((each, at) => {
        const members = groupOf(each);
        // the browser moves among radio buttons of one name
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
    focus: (at) => walk.all[at]?.focus(),
    troubles(groups) {
      walk.walking = false;
      return [...walk.found, ...tools.missed(groups).map((each) => `${tools.name(each)} can’t be reached`)];
    },
  };
}
