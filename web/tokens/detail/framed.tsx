import { type ReactNode, useState } from 'react';
import type { Fetched } from '../../http/loaded.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** Frames what `children` make of fetched data: placeholder rows before it, or an error with a retry instead of it. */
export function Framed<Data>(props: {
  query: Fetched<Data>;
  /** The data in a word, for screen readers. */
  name: string;
  /** Title of the error. */
  title: string;
  children: (data: Data) => ReactNode;
}) {
  const { query, name, title, children } = props;
  const { data, error, reload, loading } = query;
  const [since, setSince] = useState<number | null>(null);
  if ((error === null) !== (since === null)) setSince(error === null ? null : Date.now());
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {data !== undefined && children(data)}
      {data === undefined && error === null && <SkeletonRows rows={6} label={`Loading ${name}`} />}
      {data === undefined && error !== null && (
        <Problem title={title} text={error} since={since} onRetry={() => void reload()} busy={loading} />
      )}
    </div>
  );
}
