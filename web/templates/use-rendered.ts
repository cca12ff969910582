import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { templateCalls } from '../../common/templates/http.ts';
import { request } from '../http/client.ts';

/** How long typing must rest before the server is asked, ms. */
const REST_MS = 400;

type Answer = z.output<(typeof templateCalls)['preview']['output']>;

interface State {
  /** The last answer; it stays while the next one is awaited. */
  data: Answer | null;
  /** Why the last attempt failed. */
  error: string | null;
  loading: boolean;
}

/** What the server makes of a template for a token that is here now: at once, and from then on when typing rests. */
export function useRendered(template: string): State {
  const [state, setState] = useState<State>({ data: null, error: null, loading: false });
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (template.trim() === '') {
      setState({ data: null, error: null, loading: false });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        asked.current = template;
        void ask(template, controller.signal, setState);
      },
      asked.current === null ? 0 : REST_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [template]);
  return state;
}

async function ask(
  template: string,
  signal: AbortSignal,
  set: (change: (before: State) => State) => void,
): Promise<void> {
  set((before) => ({ ...before, loading: true }));
  try {
    const { data } = await request(templateCalls.preview, { body: { template }, signal });
    set(() => ({ data, error: null, loading: false }));
  } catch (reason) {
    // Given up for a newer text, or because the dialog was left.
    if (signal.aborted) return;
    const error = reason instanceof Error ? reason.message : String(reason);
    set(() => ({ data: null, error, loading: false }));
  }
}
