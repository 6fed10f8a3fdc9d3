import './index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ensure } from './api/queries.ts';
import { queryClient } from './api/query-client.ts';
import { sessionQuery } from './api/session.ts';
import { preloadFrom } from './lib/preload.ts';
import { routes } from './routes.tsx';
import { followTheme } from './stores/theme.ts';
import { UiProvider } from './ui/UiProvider.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');

followTheme();
// starts while the first page's chunk is still loading; the Shell reports a failure
ensure(sessionQuery).catch(() => undefined);
preloadFrom(routes);
const router = createBrowserRouter(routes);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
