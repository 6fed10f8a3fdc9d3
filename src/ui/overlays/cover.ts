/** Makes content under a panel inert, because it is not visible. Only the topmost panel counts. */
const open: HTMLElement[] = [];
let hidden: HTMLElement[] = [];

function apply(): void {
  for (const each of hidden) each.inert = false;
  hidden = [];
  // other children of the body are menus, dialogs and toasts, which are above panels
  for (let at = open.at(-1); at?.parentElement && at.parentElement !== document.body; at = at.parentElement) {
    for (const beside of at.parentElement.children)
      if (beside !== at && beside instanceof HTMLElement && !beside.inert) hidden.push(beside);
  }
  for (const each of hidden) each.inert = true;
}

/** Marks the panel as covering the whole window; returns the function that undoes it. */
export function cover(panel: HTMLElement): () => void {
  open.push(panel);
  apply();
  return () => {
    open.splice(open.indexOf(panel), 1);
    apply();
  };
}

/** Whether the panel covers the center of an element. */
function isUnder(panel: HTMLElement, element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return panel.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

const STOPS = 'a[href], button, input, select, textarea, [tabindex]';

/** If the focus moves to an element under the panel, moves it on to the next visible element. */
export function skipUnder(panel: HTMLElement, { target, relatedTarget }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || panel.contains(target) || !isUnder(panel, target)) return;
  const back =
    relatedTarget instanceof Node && target.compareDocumentPosition(relatedTarget) & Node.DOCUMENT_POSITION_FOLLOWING;
  const stops = [...document.querySelectorAll<HTMLElement>(STOPS)].filter(
    (each) =>
      each.tabIndex >= 0 && !each.matches(':disabled, [inert] *') && each.checkVisibility({ visibilityProperty: true }),
  );
  if (back) stops.reverse();
  const next = stops.slice(stops.indexOf(target) + 1).find((each) => panel.contains(each) || !isUnder(panel, each));
  (next ?? panel).focus();
}
