import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { docsPages } from './scripts/vite-docs.ts';
import { slimIcons } from './scripts/vite-icons.ts';
import { retryableImports } from './scripts/vite-imports.ts';
import { slimRouter } from './scripts/vite-router.ts';
import { slimRoutes } from './scripts/vite-routes.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What each page draws first: its entry, and for the console the route it opens on. */
const FIRST = {
  console: [page('src/main.tsx'), page('src/pages/overview/OverviewPage.tsx')],
  connect: [page('src/connect.tsx')],
};

/** All modules that `roots` import, however far down, without what they load later. */
function imported(roots: readonly string[], context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const seen = new Set<string>();
  const walk = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) walk(next);
  };
  for (const root of roots) walk(root);
  return seen;
}

/** Entries and pages stay separate chunks. */
const KEPT_APART =
  /[\\/]src[\\/](pages[\\/].*|main\.tsx|connect\.tsx)$|[\\/](useMutation|mutationObserver|useQueries|queriesObserver)\.js$|\.html$/;

/**
 * One chunk for what the console's first screen needs, and one for what the connect window needs of it: few requests,
 * and they pack better than many crumbs.
 */
function firstScreen(name: 'shared' | 'console', priority: number): Rolldown.CodeSplittingGroup {
  let needed: Record<keyof typeof FIRST, ReadonlySet<string>> | undefined;
  return {
    debugName: name,
    priority,
    test: (id) => !KEPT_APART.test(id),
    name: (id, context) => {
      needed ??= { console: imported(FIRST.console, context), connect: imported(FIRST.connect, context) };
      // the helper that loads chunks later is written into both pages after their imports were counted
      const helper = /vite\/preload-helper|src[\\/]lib[\\/]fetch-then-import\.ts$/.test(id);
      const wanted = name === 'console' ? needed.console.has(id) : needed.console.has(id) && needed.connect.has(id);
      return wanted || helper ? name : null;
    },
  };
}

/** What else the connect window draws with; the console's forms do too. */
const fields: Rolldown.CodeSplittingGroup = {
  debugName: 'fields',
  priority: 0.8,
  test: (id) => !KEPT_APART.test(id),
  name: (id, context) => (imported(FIRST.connect, context).has(id) ? 'fields' : null),
};

/** A chunk of the console's first screen, by its file. */
const FIRST_CHUNK = /(^|\/)(react|router|console|shared|rolldown-runtime)-[^/]*\.js$/;
/** Parts of no page, which load when the first page is drawn: src/lib/fetch-then-import.ts knows them by this folder. */
const PART = /[\\/]src[\\/](layouts[\\/](?!Shell\.)|api|ui|components[\\/](factors|events[\\/]saved))[\\/]?/;
/** Of pages and their parts only the hash: the first screen's code carries the names of all files. */
const fileName = ({ name, facadeModuleId, isDynamicEntry }: Rolldown.PreRenderedChunk) => {
  if (isDynamicEntry && PART.test(facadeModuleId ?? '')) return 'assets/parts/[name]-[hash].js';
  return FIRST_CHUNK.test(`${name}-.js`) ? 'assets/[name]-[hash].js' : 'assets/[hash].js';
};

const ICON = /lucide-react[\\/].*[\\/]icons[\\/]/;

/**
 * One chunk for the small things that most pages share, icons too: each page would else ask for dozens of crumbs, and
 * the first screen carry all their names. What brings a library along that the first screen lacks stays apart.
 */
const parts: Rolldown.CodeSplittingGroup = {
  debugName: 'parts',
  priority: 0.5,
  minShareCount: 10,
  test: (id) => !KEPT_APART.test(id) && (/[\\/]src[\\/]/.test(id) || ICON.test(id)),
  name: (id, context) => {
    const first = imported(FIRST.console, context);
    const heavy = [...imported([id], context)].some(
      (each) => each.includes('node_modules') && !ICON.test(each) && !first.has(each),
    );
    return heavy ? null : 'parts';
  },
};

/** The connect window is a separate page; the service serves it at /connect, and so does the dev server. */
const connectPage: Plugin = {
  name: 'connect-page',
  configureServer({ middlewares }) {
    middlewares.use((req, _res, next) => {
      if (/^\/connect\/?(?:\?|$)/.test(req.url ?? '')) req.url = '/connect.html';
      next();
    });
  },
};

const imports = retryableImports();

/** `npm run dev`: what isn't the console's comes from the service beside it (scripts/dev.ts starts both). */
const service = `http://127.0.0.1:${process.env['SLUICE_PORT'] || 4400}`;

/**
 * Two pages come out of the build: the console (index.html) and the connect window (connect.html), which end users
 * see and which therefore must not load any of the console. scripts/dev.ts puts the service behind the dev server.
 */
export default defineConfig({
  plugins: [docsPages(), slimIcons(), slimRouter(), slimRoutes(), imports.plugin, react(), tailwindcss(), connectPage],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': service,
      '/connect/api': service,
      '/connect/oauth': service,
      '/hooks': service,
      '/downloads': service,
    },
  },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0, // nothing as a data: address, so the policy can stay 'self'
    modulePreload: {
      polyfill: false,
      // preload lists are part of the first chunk: files that it contains already are left out of them
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : imports.filesOf(file, needed).filter((each) => !FIRST_CHUNK.test(each)),
    },
    license: { fileName: 'licenses.md' }, // all notices in one file, not in every chunk
    manifest: true, // read by the service for preload headers and by scripts/budget.ts
    rolldownOptions: {
      input: { index: page('index.html'), connect: page('connect.html') },
      output: {
        comments: { legal: false },
        chunkFileNames: fileName,
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 20,
            },
            {
              name: 'router',
              test: /node_modules[\\/]react-router[\\/]/,
              priority: 10,
            },
            firstScreen('shared', 2),
            firstScreen('console', 1),
            fields,
            parts,
          ],
        },
      },
    },
  },
});
