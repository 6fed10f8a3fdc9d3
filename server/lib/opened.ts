export type Closable = { close(): Promise<void> };

/**
 * Opens several things that are closed together, the last one first; what is open is closed also when the opening fails
 * half-way. `open` says through `onClose` how each is closed.
 */
export async function opened<T extends object>(
  open: (onClose: (close: () => unknown) => void) => Promise<T>,
): Promise<T & Closable> {
  const closes: (() => unknown)[] = [];
  async function close(): Promise<void> {
    for (const each of closes.splice(0).toReversed()) await each();
  }
  try {
    return { ...(await open((each) => closes.push(each))), close };
  } catch (error) {
    await close();
    throw error;
  }
}
