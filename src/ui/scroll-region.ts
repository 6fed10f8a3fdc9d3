/**
 * The attributes of a scrollable element: focusable, so that the keyboard can scroll it, and named. For code, logs,
 * tables and panel bodies.
 */
export function scrollRegion(label: string) {
  return { tabIndex: 0, role: 'group', 'aria-label': label } as const;
}
