/** Toasts can be raised from anywhere, also from outside React; ToastRegion, rendered once per page, shows them. */
export interface ToastInput {
  readonly title: string;
  readonly description?: string | undefined;
  /** `bad` stays longer and interrupts screen readers; other tones do not. */
  readonly tone?: 'ok' | 'bad' | 'neutral' | undefined;
  /** One action: undo, open the created resource. */
  readonly action?: { readonly label: string; readonly onPress: () => void } | undefined;
}

export interface RaisedToast extends ToastInput {
  readonly id: number;
}

const MOST = 4;
const listeners = new Set<() => void>();
let raised: readonly RaisedToast[] = [];
let lastId = 0;

function change(next: readonly RaisedToast[]) {
  raised = next;
  for (const listener of listeners) listener();
}

/** Shows a toast: for the result of an action that is not visible on the page, or an error without another place. */
export function toast(input: ToastInput): void {
  lastId += 1;
  const others = raised.filter((one) => one.title !== input.title || one.description !== input.description);
  change([...others, { ...input, id: lastId }].slice(-MOST));
}

export function dismissToast(id: number): void {
  change(raised.filter((one) => one.id !== id));
}

export function raisedToasts(): readonly RaisedToast[] {
  return raised;
}

export function subscribeToasts(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
