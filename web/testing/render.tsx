import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { SessionUser } from '../../common/auth/model.ts';
import { type Session, sessionAtom } from '../auth/session.ts';
import { createAppStore, type Store, StoreProvider } from '../store.ts';
import { Toaster } from '../ui/toast.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';

/** An ordinary signed-in user. */
export function sessionUser(fields: Partial<SessionUser> = {}): SessionUser {
  return { id: 'user-1', username: 'trader', isAdmin: false, ...fields };
}

export interface Rendered extends RenderResult {
  store: Store;
  /** The path the page is at now. */
  path: () => string;
  /** Goes to another path, as a link does. */
  navigate: (path: string) => void;
}

interface Options {
  path?: string;
  session?: Session;
  store?: Store;
}

/** Renders with a store of its own and the router in memory: what the whole app expects around it. */
export function renderRouted(element: ReactNode, options: Options = {}): Rendered {
  const store = options.store ?? createAppStore();
  store.set(sessionAtom, options.session === undefined ? sessionUser() : options.session);
  const location = memoryLocation({ path: options.path ?? '/app', record: true });
  const result = render(
    <StoreProvider store={store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        {element}
      </Router>
    </StoreProvider>,
  );
  return {
    ...result,
    store,
    path: () => location.history.at(-1) ?? '',
    navigate: (path) => location.navigate(path),
  };
}

/** Renders with everything a page or component may expect around it, tooltips and toasts as well. */
export function renderWithApp(element: ReactNode, options: Options = {}): Rendered {
  return renderRouted(
    <TooltipProvider>
      {element}
      <Toaster />
    </TooltipProvider>,
    options,
  );
}
