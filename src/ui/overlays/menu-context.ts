import { createContext, use } from 'react';

/** Closes the menu around an item. */
export const MenuContext = createContext<((returnFocus?: boolean) => void) | null>(null);

export function useMenuClose(): (returnFocus?: boolean) => void {
  const close = use(MenuContext);
  if (!close) throw new Error('a menu item needs a Menu around it');
  return close;
}
