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
  return { id: 'user-1', username: 'trader', isAdmin: false, hasSecondFactor: false, ...fields };
}

export interface Rendered extends RenderResult {
  store: Store;
  /** Returns the current path. */
  path: () => string;
  /** Navigates like a link. */
  navigate: (path: string) => void;
}

interface Options {
  path?: string;
  session?: Session;
  store?: Store;
}

/** Renders with a new store and an in-memory router, which the app expects around it. */
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

/** Renders like `renderRouted`, with tooltips and toasts. */
export function renderWithApp(element: ReactNode, options: Options = {}): Rendered {
  return renderRouted(
    <TooltipProvider>
      {element}
      <Toaster />
    </TooltipProvider>,
    options,
  );
}
