import { detailPath } from '../tokens/links.ts';
import { adminAddress } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRenderedText } from './use-rendered-text.ts';

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
