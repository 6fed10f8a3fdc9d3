/** Fetched files, or those being fetched. A file that failed is not among them. */
const fetched = new Map<string, Promise<unknown>>();

/** Parts of the frame, in the folder of vite.config.ts. */
const PARTS = 'assets/parts/';

/**
 * Takes the place of Vite's helper around every `import()` of the build (scripts/vite-imports.ts). `files` are the file
 * and those that it needs. Browsers remember a failed import until the page is reloaded. A page that fails is loaded
 * again by a reload. A part of the frame has to be loaded again without one, so its files are fetched first, although
 * the import then loads them a second time, from the cache: a failed fetch can be tried again.
 */
export const fetchThenImport = <T>(load: () => Promise<T>, files: string[] = []): Promise<T> => {
  const isPart = files[0]?.startsWith(PARTS);
  const urls = files.map((file) => `/${file}`);
  const isFirst = (url: string) => isPart || isStyles(url);
  for (const url of urls) if (!isFirst(url)) preloadScript(url);
  return Promise.all(urls.filter(isFirst).map(arrival)).then(load);
};

const isStyles = (url: string) => url.endsWith('.css');

/** Starts with the import, which finds the files that a file needs only when it has read that file. */
function preloadScript(url: string): void {
  if (isPreloaded(url)) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = url;
  document.head.append(link);
}

const isPreloaded = (url: string) => document.querySelector(`link[rel=modulepreload][href="${url}"]`) !== null;

function arrival(url: string): Promise<unknown> {
  const known = fetched.get(url);
  if (known !== undefined) return known;
  const arriving = (isStyles(url) ? applyStyles(url) : fetchScript(url)).catch(() => {
    fetched.delete(url);
    // as Chromium words it: error pages know it by its message
    throw new TypeError(`Failed to fetch dynamically imported module: ${url}`);
  });
  fetched.set(url, arriving);
  return arriving;
}

async function fetchScript(url: string): Promise<void> {
  if (isPreloaded(url)) return;
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
