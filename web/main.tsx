import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadSession } from './auth/session.ts';
import { createAppStore, StoreProvider } from './store.ts';
import { plainDecimals } from './ui/format.ts';

const store = createAppStore();
// Starts before the code of the pages is fetched, so that both load at the same time.
void loadSession(store);
// Runs the code of the pages behind the login meanwhile, rather than after the response. React reports a failure to load it.
if (window.location.pathname.startsWith('/app')) import('./app/signed-in-app.tsx').catch(() => undefined);
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

/** Makes the page copy prices in plain decimals, which other programs can read. */
function copyPlainDecimals(): void {
  document.addEventListener('copy', (event) => {
    const text = document.getSelection()?.toString() ?? '';
    const plain = plainDecimals(text);
    if (plain === text || event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', plain);
    event.preventDefault();
  });
}
