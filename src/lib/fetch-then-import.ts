/** Files that have arrived or are on their way. A file that failed is not among them. */
const arriving = new Map<string, Promise<unknown>>();
for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]'))
  arriving.set(new URL(href).pathname, Promise.resolve());

/** Parts of the frame, in the folder of vite.config.ts. */
const PARTS = 'assets/parts/';

/**
 * Takes the place of Vite's helper around every `import()` of the build (scripts/vite-imports.ts): imports a file
 * after it and the files that it needs, `files`, have arrived. Browsers remember a failed import or preload until the
 * page is reloaded. A page that fails is loaded again by a reload. A part of the frame has to be loaded again without
 * one, so it is fetched, although the import then loads it a second time, from the cache.
 */
export const fetchThenImport = <T>(load: () => Promise<T>, files: string[] = []): Promise<T> => {
  const script = files[0]?.startsWith(PARTS) ? fetchScript : preloadScript;
  return Promise.all(files.map((file) => arrival(`/${file}`, file.endsWith('.css') ? applyStyles : script))).then(load);
};

function arrival(url: string, load: (url: string) => Promise<void>): Promise<unknown> {
  const known = arriving.get(url);
  if (known !== undefined) return known;
  const arrives = load(url).catch(() => {
    arriving.delete(url);
    // as Chromium words it: error pages know it by its message
    throw new TypeError(`Failed to fetch dynamically imported module: ${url}`);
  });
  arriving.set(url, arrives);
  return arrives;
}

function preloadScript(url: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  return arrived(link, url);
}

async function fetchScript(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  await response.arrayBuffer();
}

async function applyStyles(url: string): Promise<void> {
  if (document.querySelector(`link[rel=stylesheet][href="${url}"]`)) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  return arrived(link, url);
}

function arrived(link: HTMLLinkElement, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // as imports request it
    link.crossOrigin = '';
    link.href = url;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error('The file did not load'));
    };
    document.head.append(link);
  });
}
