import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { cx } from './cx.ts';

/** An element that will look like one of ours: a router's link, usually. It takes a class and children. */
export type Rendered = ReactElement<{
  className?: string | undefined;
  children?: ReactNode;
  [attribute: string]: unknown;
}>;

/** Gives a caller's element our class, attributes and children; its own class stays in front. */
export function renderAs(
  element: Rendered,
  { className, ...attributes }: { className: string; children?: ReactNode; [attribute: string]: unknown },
): ReactElement {
  return cloneElement(element, {
    ...attributes,
    className: cx(element.props.className, className),
  });
}
