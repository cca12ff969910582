import type { ReactNode } from 'react';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import type { UsedResource } from './resource.ts';

/** Frames what `children` make of a resource: placeholder rows before the data, or an error with a retry instead of it. */
export function Framed<Data>(props: {
  resource: UsedResource<Data>;
  /** The data in a word, for screen readers. */
  name: string;
  /** Title of the error. */
  title: string;
  children: (data: Data) => ReactNode;
}) {
  const { resource, name, title, children } = props;
  const { data, error, reload, loading } = resource;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {data !== null && children(data)}
      {data === null && error === null && <SkeletonRows rows={6} label={`Loading ${name}`} />}
      {data === null && error !== null && (
        <Problem title={title} text={error.text} since={error.since} onRetry={reload} busy={loading} />
      )}
    </div>
  );
}
