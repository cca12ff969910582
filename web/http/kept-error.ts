import { useState } from 'react';

/**
 * Returns the error of a fetch also while it is repeated without data (`isRepeated`): the cache of queries forgets it when the next
 * attempt begins, and a page would go from its error to placeholder rows and back. `key`: of the data.
 */
export function useKeptError<Problem>(key: string, error: Problem | null, isRepeated: boolean): Problem | null {
  const [kept, setKept] = useState<{ key: string; error: Problem } | null>(null);
  const before = kept?.key === key ? kept.error : null;
  const shown = error ?? (isRepeated ? before : null);
  if (shown !== before) setKept(shown === null ? null : { key, error: shown });
  return shown;
}
