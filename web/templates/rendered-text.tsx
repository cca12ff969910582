import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { templateCalls } from '../../common/templates/http.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { detailPath } from '../tokens/links.ts';
import { adminAddress } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Delay after the last keystroke before the text is rendered, ms. */
const DEBOUNCE_MS = 400;

/** A template's text for a real token, with a warning about unknown variables. Renders nothing for an empty template. */
export function RenderedText({ template }: { template: string }) {
  const { data, error, loading } = useRenderedText(template);
  if (template.trim() === '') return null;
  return (
    <section aria-label="Rendered text" aria-busy={loading} className="flex flex-col gap-2">
      <h3 className="font-medium text-muted text-xs">
        Rendered text
        {data !== null && (
          <>
            {' '}
            for the token {/* Opens in a new tab, so that a surrounding form keeps its input. */}
            <a
              href={detailPath(data.address)}
              target="_blank"
              rel="noreferrer"
              className="font-mono text-text hover:text-accent"
            >
              {adminAddress(data.address)}
            </a>
          </>
        )}
      </h3>
      {data === null && error === null && <Skeleton className="h-16" />}
      {data !== null && (
        <p className="whitespace-pre-wrap break-words rounded-md border border-line bg-bg px-3 py-2 text-sm">
          {data.text}
        </p>
      )}
      {error !== null && <Notice tone="warning">{error}</Notice>}
      {data !== null && data.unknown.length > 0 && (
        <Notice tone="warning" title="Not a variable">
          {data.unknown.map((name) => `{${name}}`).join(', ')} {data.unknown.length === 1 ? 'stays' : 'stay'} as
          written.
        </Notice>
      )}
    </section>
  );
}

type Rendering = z.output<(typeof templateCalls)['preview']['output']>;

interface State {
  /** The last result; kept while the next one loads. */
  data: Rendering | null;
  /** Error text of the last attempt. */
  error: string | null;
  loading: boolean;
}

/** Has the server render a template for a token of the market: at once for the first text, then after each pause in typing. */
function useRenderedText(template: string): State {
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
