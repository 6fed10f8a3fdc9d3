export type Closable = { close(): Promise<void> };

/**
 * Opens several resources that are closed together, in reverse order; if `open` throws, the resources opened so far are
 * closed. `open` registers each close function with `onClose`.
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
