import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { templateCalls } from '../../common/templates/http.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';

/** Delay after the last keystroke before the text is rendered, ms. */
const DEBOUNCE_MS = 400;

type Rendering = z.output<(typeof templateCalls)['preview']['output']>;

interface State {
  /** The last result; kept while the next one loads. */
  data: Rendering | null;
  /** Error text of the last attempt. */
  error: string | null;
  loading: boolean;
}

/** Has the server render a template for a token of the market: at once for the first text, then after each pause in typing. */
export function useRenderedText(template: string): State {
  const [state, setState] = useState<State>({ data: null, error: null, loading: false });
  const requested = useRef<string | null>(null);
  useEffect(() => {
    if (template.trim() === '') {
      setState({ data: null, error: null, loading: false });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        requested.current = template;
        void fetchRendering(template, controller.signal, setState);
      },
      requested.current === null ? 0 : DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [template]);
  return state;
}

async function fetchRendering(
  template: string,
  signal: AbortSignal,
  set: (change: (before: State) => State) => void,
): Promise<void> {
  set((before) => ({ ...before, loading: true }));
  try {
    const { data } = await request(templateCalls.preview, { body: { template }, signal });
    set(() => ({ data, error: null, loading: false }));
  } catch (reason) {
    // Aborted for a newer text, or because the dialog was closed.
    if (signal.aborted) return;
    set(() => ({ data: null, error: errorText(reason), loading: false }));
  }
}
