import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { z } from 'zod';
import { ruleCalls } from '../../common/rules/http.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { Preview } from '../../common/strategies/preview.ts';
import { request } from '../http/client.ts';

/** What the preview needs of a rule or a strategy. A form may pass all of its values, valid or not: the rest is left out. */
export type RulePreviewInput = z.input<(typeof ruleCalls)['preview']['body']>;
export type StrategyPreviewInput = z.input<(typeof strategyCalls)['preview']['body']>;

export type Asked = { kind: 'rule'; input: RulePreviewInput } | { kind: 'strategy'; input: StrategyPreviewInput };

/** How long values have to stay as they are before they are asked about again, ms: a slider passes many. */
const SETTLED_MS = 600;

export interface UsedPreview {
  /** The last answer; it stays while the next one is awaited. */
  data: Preview | null;
  loading: boolean;
  /** Why the last attempt failed. */
  error: string | null;
  /** Whether the values may be asked about. */
  valid: boolean;
  run: () => void;
}

interface State {
  data: Preview | null;
  /** The values that were asked about last, as text; null before the first time. */
  asked: string | null;
  loading: boolean;
  error: string | null;
}

const atFirst: State = { data: null, asked: null, loading: false, error: null };

/** Asks what would have happened: when told to, and from then on whenever the values have changed. One question at a time. */
export function usePreview({ kind, input }: Asked): UsedPreview {
  const [state, setState] = useState(atFirst);
  const leaving = useRef<AbortController | null>(null);
  const body = useMemo(() => bodyOf(kind, input), [kind, input]);

  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const run = useCallback(async () => {
    const signal = leaving.current?.signal;
    if (body === null || signal === undefined) return;
    setState((before) => ({ ...before, asked: body, loading: true, error: null }));
    try {
      const data = await ask(kind, body, signal);
      setState((before) => ({ ...before, data, loading: false }));
    } catch (reason) {
      // Given up because the form was left.
      if (signal.aborted) return;
      const error = reason instanceof Error ? reason.message : String(reason);
      setState((before) => ({ ...before, data: null, loading: false, error }));
    }
  }, [kind, body]);

  const { asked, loading } = state;
  useEffect(() => {
    if (asked === null || loading || body === null || body === asked) return;
    const timer = setTimeout(() => void run(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [asked, loading, body, run]);

  return { data: state.data, loading, error: state.error, valid: body !== null, run: () => void run() };
}

/** What is sent, as text, so that values can be told from others; null when the server would refuse them. */
function bodyOf(kind: Asked['kind'], input: Asked['input']): string | null {
  const schema = kind === 'rule' ? ruleCalls.preview.body : strategyCalls.preview.body;
  const parsed = schema.strip().safeParse(input);
  return parsed.success ? JSON.stringify(parsed.data) : null;
}

async function ask(kind: Asked['kind'], text: string, signal: AbortSignal): Promise<Preview> {
  const body = JSON.parse(text);
  const answer =
    kind === 'rule'
      ? await request(ruleCalls.preview, { body, signal })
      : await request(strategyCalls.preview, { body, signal });
  return answer.data;
}
