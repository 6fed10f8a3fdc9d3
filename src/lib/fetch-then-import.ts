/** Fetched files, or those being fetched. A file that failed is not among them. */
const fetched = new Map<string, Promise<unknown>>();

/**
 * Takes the place of Vite's helper around every `import()` of the build (scripts/vite-imports.ts): imports a part after
 * its files, `assets/…`, have arrived. The import then reads them from the browser's cache. Browsers remember a failed
 * import until the page is reloaded, but not a failed fetch, so loading can be tried again.
 */
export const fetchThenImport = <T>(load: () => Promise<T>, files: string[] = []): Promise<T> =>
  Promise.all(files.map(arrival)).then(load);

function arrival(file: string): Promise<unknown> {
  const known = fetched.get(file);
  if (known !== undefined) return known;
  const url = `/${file}`;
  const arriving = (url.endsWith('.css') ? applyStyles(url) : fetchScript(url)).catch(() => {
    fetched.delete(file);
    // as Chromium words it: error pages know it by its message
    throw new TypeError(`Failed to fetch dynamically imported module: ${url}`);
  });
  fetched.set(file, arriving);
  return arriving;
}

async function fetchScript(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  await response.arrayBuffer();
}

function applyStyles(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (document.querySelector(`link[rel=stylesheet][href="${url}"]`)) return resolve();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = url;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error('The stylesheet did not load'));
    };
    document.head.append(link);
  });
}
