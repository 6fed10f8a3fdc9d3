import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { cx } from './cx.ts';

/** An element to render as a component of this library, usually a link. It must accept a class and children. */
export type Rendered = ReactElement<{
  className?: string | undefined;
  children?: ReactNode;
  [attribute: string]: unknown;
}>;

/** Clones an element with class, attributes and children; its own class stays first. */
export function renderAs(
  element: Rendered,
  { className, ...attributes }: { className: string; children?: ReactNode; [attribute: string]: unknown },
): ReactElement {
  return cloneElement(element, {
    ...attributes,
    className: cx(element.props.className, className),
  });
}
