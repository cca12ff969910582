import { useEffect, useRef, useState } from 'react';
import { replayCalls } from '../../common/replay/http.ts';
import type { NewReplay, ReplayRun } from '../../common/replay/model.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';

/** Interval in which a run is read, ms. */
const READ_MS = 500;

/** The run of this page. */
interface ReplayState {
  /** Null before the first one. */
  run: ReplayRun | null;
  /** Whether a run is being started. */
  starting: boolean;
  /** Why the last run could not be started or read; null otherwise. */
  failure: string | null;
  start: (input: NewReplay) => Promise<void>;
  cancel: () => Promise<void>;
}

/** Starts, follows and cancels runs. One that is still running is cancelled with the page. */
export function useReplay(): ReplayState {
  const [run, setRun] = useState<ReplayRun | null>(null);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<string | null>(null);
  const id = run?.state === 'running' ? run.id : null;
  running.current = id;

  useEffect(() => {
    if (id === null) return;
    const aborted = new AbortController();
    const { signal } = aborted;
    async function read(runId: string): Promise<void> {
      try {
        const { data } = await request(replayCalls.read, { params: { id: runId }, signal });
        // The response to 'Cancel' may have come meanwhile.
        if (!signal.aborted) setRun((before) => (before?.state === 'running' ? data : before));
      } catch (reason) {
        if (signal.aborted) return;
        setFailure(errorText(reason));
        setRun((before) => before && { ...before, state: 'failed' });
      }
    }

    const timer = setInterval(() => void read(id), READ_MS);
    return () => {
      clearInterval(timer);
      aborted.abort();
    };
  }, [id]);

  // On leaving the page only: the server cancels it later anyway.
  useEffect(
    () => () => {
      if (running.current !== null)
        void request(replayCalls.cancel, { params: { id: running.current } }).catch(() => {});
    },
    [],
  );

  return {
    ...{ run, starting, failure },
    async start(input) {
      setStarting(true);
      setFailure(null);
      try {
        setRun((await request(replayCalls.start, { body: input })).data);
      } catch (reason) {
        setFailure(errorText(reason));
      } finally {
        setStarting(false);
      }
    },
    async cancel() {
      if (id === null) return;
      try {
        setRun((await request(replayCalls.cancel, { params: { id } })).data);
      } catch (reason) {
        setFailure(errorText(reason));
      }
    },
  };
}
