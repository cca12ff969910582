import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { z } from 'zod';
import { ruleCalls } from '../../common/rules/http.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { Preview } from '../../common/strategies/preview.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';

/** The rule or strategy to simulate. A form may pass all its values, valid or not; unused ones are dropped. */
export type PreviewTarget =
  | { kind: 'rule'; input: z.input<(typeof ruleCalls)['preview']['body']> }
  | { kind: 'strategy'; input: z.input<(typeof strategyCalls)['preview']['body']> };

/** Delay after the last change before the preview runs again, ms: dragging a slider produces many values. */
const DEBOUNCE_MS = 600;

export interface PreviewState {
  /** The last result; kept while the next one loads. */
  data: Preview | null;
  loading: boolean;
  /** Error text of the last attempt. */
  error: string | null;
  /** Whether the values can be sent. */
  valid: boolean;
  run: () => void;
}

interface State {
  data: Preview | null;
  /** The body requested last, as JSON; null before the first run. */
  requested: string | null;
  loading: boolean;
  error: string | null;
}

const initialState: State = { data: null, requested: null, loading: false, error: null };

/** Simulates a rule or strategy: first when `run` is called, then after every change of its values. One request at a time. */
export function usePreview({ kind, input }: PreviewTarget): PreviewState {
  const [state, setState] = useState(initialState);
  const abort = useRef<AbortController | null>(null);
  const body = useMemo(() => bodyOf(kind, input), [kind, input]);

  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);

  const run = useCallback(async () => {
    const signal = abort.current?.signal;
    if (body === null || signal === undefined) return;
    setState((before) => ({ ...before, requested: body, loading: true, error: null }));
    try {
      const data = await fetchPreview(kind, body, signal);
      setState((before) => ({ ...before, data, loading: false }));
    } catch (reason) {
      // Aborted because the form was closed.
      if (signal.aborted) return;
      setState((before) => ({ ...before, data: null, loading: false, error: errorText(reason) }));
    }
  }, [kind, body]);

  const { requested, loading } = state;
  useEffect(() => {
    if (requested === null || loading || body === null || body === requested) return;
    const timer = setTimeout(() => void run(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [requested, loading, body, run]);

  return { data: state.data, loading, error: state.error, valid: body !== null, run: () => void run() };
}

/** Returns the request body as JSON, which makes values comparable; null when the server would reject them. */
function bodyOf(kind: PreviewTarget['kind'], input: PreviewTarget['input']): string | null {
  const schema = kind === 'rule' ? ruleCalls.preview.body : strategyCalls.preview.body;
  const parsed = schema.strip().safeParse(input);
  return parsed.success ? JSON.stringify(parsed.data) : null;
}

async function fetchPreview(kind: PreviewTarget['kind'], json: string, signal: AbortSignal): Promise<Preview> {
  const body = JSON.parse(json);
  const response =
    kind === 'rule'
      ? await request(ruleCalls.preview, { body, signal })
      : await request(strategyCalls.preview, { body, signal });
  return response.data;
}
