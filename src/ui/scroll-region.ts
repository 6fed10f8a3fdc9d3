/**
 * What an element that scrolls must have: a place in the tab order, or the keyboard can't scroll it, and a name.
 * For code, logs, tables and panel bodies.
 */
export function scrollRegion(label: string) {
  return { tabIndex: 0, role: 'group', 'aria-label': label } as const;
}
