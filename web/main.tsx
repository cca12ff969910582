import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadSession } from './auth/session.ts';
import { createAppStore, StoreProvider } from './store.ts';
import { copyPlainDecimals } from './ui/copy-plain.ts';

const store = createAppStore();
// Starts before the code of the pages is fetched, so that both load at the same time.
void loadSession(store);
copyPlainDecimals();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <StoreProvider store={store}>
      <App />
    </StoreProvider>
  </StrictMode>,
);
