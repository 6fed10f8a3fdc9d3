/** The connect window: a separate small page for people with a connect link and no account. */
import './index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ConnectWindow } from './pages/connect/ConnectWindow.tsx';
import { followTheme } from './stores/theme.ts';
import { UiProvider } from './ui/UiProvider.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
followTheme();
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <ConnectWindow />
    </UiProvider>
  </StrictMode>,
);
