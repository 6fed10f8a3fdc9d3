import { useContext, useState } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation, useNavigation } from 'react-router';
import { useTimeout } from './use-timeout.ts';

const DEBOUNCE_MS = 250;

/** The text of a search field whose value is in the URL. The URL follows the text after a debounce, and vice versa. */
export function useDebouncedFilter(
  value: string,
  onTyped: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  // the value in the URL, or the one it is about to have
  const [known, setKnown] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    // the URL changed for another reason than typing; otherwise keep the text typed meanwhile
    if (known !== value) {
      setKnown(value);
      setText(value);
    }
  }
  // another page is loading: a change of this page's URL would cancel that navigation
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const leaving = next !== undefined && next.pathname !== pathname;
  const router = useContext(DataRouterContext)?.router;
  const commit = () => {
    // the router state is newer than `useNavigation`, which updates with a render
    const now = router?.state.navigation.location;
    if (now !== undefined && now.pathname !== pathname) return;
    setKnown(text);
    onTyped(text);
  };
  const delayMs = text === '' ? 0 : DEBOUNCE_MS;
  useTimeout(commit, text === known || leaving ? undefined : delayMs, text);
  return [text, setText];
}
