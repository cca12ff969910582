import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { useMemo, useSyncExternalStore } from 'react';
import {
  formatRanges,
  parseRanges,
  type Range,
  type RangeField,
  type TokenFilter,
} from '../../../common/tokens/filters.ts';
import type { Facets, ListChoice } from '../../../common/tokens/http.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useReturnFocus } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { Switch } from '../../ui/switch.tsx';
import { cleanText } from '../text.ts';
import { Group, WordsField } from './drawer-parts.tsx';
import { fieldGroups } from './fields.ts';
import { countLimits } from './limits.ts';
import { RangeLine } from './range-line.tsx';
import { useFacets } from './use-facets.ts';

/** Window width below which the drawer is a sheet over the page. */
const SHEET = '(max-width: 767px)';

interface DrawerProps {
  /** What the list shows; its named filter and its search count as well. */
  choice: ListChoice;
  limits: TokenFilter;
  onLimits: (limits: TokenFilter) => void;
  onClose: () => void;
}

/** Renders the limits of the list beside it, or over it on a narrow screen. The list stays live. */
export default function FilterDrawer(props: DrawerProps) {
  const isSheet = useSheet();
  const focus = useReturnFocus();
  return (
    <RadixDialog.Root open modal={isSheet} onOpenChange={(open) => !open && props.onClose()}>
      <RadixDialog.Content
        {...focus}
        aria-describedby={undefined}
        aria-modal={isSheet}
        // The list beside it is used while it is open, and its keys are its own.
        onInteractOutside={(event) => event.preventDefault()}
        onEscapeKeyDown={(event) => {
          if (document.activeElement?.closest('[data-filters]') == null) event.preventDefault();
        }}
        data-filters=""
        className={classNames(
          'flex flex-col border-line bg-surface outline-none',
          isSheet
            ? 'fixed inset-0 z-50'
            : 'sticky top-15 max-h-[calc(100dvh-72px)] w-90 shrink-0 self-start rounded-lg border',
        )}
      >
        <DrawerContent {...props} />
      </RadixDialog.Content>
    </RadixDialog.Root>
  );
}

function DrawerContent({ choice, limits, onLimits, onClose }: DrawerProps) {
  const { facets, error } = useFacets(choice);
  const limited = countLimits(limits);
  return (
    <>
      <header className="flex items-start justify-between gap-2 border-line border-b py-2 pr-2 pl-4">
        <div className="min-w-0">
          <RadixDialog.Title className="font-semibold text-base">Filters</RadixDialog.Title>
          <Matches facets={facets} error={error} />
        </div>
        <span className="flex shrink-0">
          <Button size="sm" variant="ghost" disabled={limited === 0} onClick={() => onLimits({})}>
            Clear
          </Button>
          <Button
            size="icon"
            variant="ghost"
            aria-label="Close filters"
            title="Close"
            onClick={onClose}
            className="-my-0.5"
          >
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        </span>
      </header>
      <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        <UnknownChoice limits={limits} hidden={facets?.hidden ?? null} onLimits={onLimits} />
        <Ranges limits={limits} facets={facets} onLimits={onLimits} />
        <Group title="Words">
          <WordsField
            label="With one of these words"
            text={limits.include}
            onText={(include) => onLimits(withPart(limits, { include }))}
          />
          <WordsField
            label="Without these words"
            text={limits.exclude}
            onText={(exclude) => onLimits(withPart(limits, { exclude }))}
          />
        </Group>
        <Sources limits={limits} facets={facets} onLimits={onLimits} />
      </div>
    </>
  );
}

type Part = Pick<DrawerProps, 'limits' | 'onLimits'>;

/** Returns limits with a part replaced; undefined takes it away. */
function withPart(
  limits: TokenFilter,
  part: Partial<{ [Key in keyof TokenFilter]: TokenFilter[Key] | undefined }>,
): TokenFilter {
  const entries = Object.entries({ ...limits, ...part }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** Shows how many tokens pass; read out once the counts have settled. */
function Matches({ facets, error }: { facets: Facets | null; error: string | null }) {
  if (error !== null) {
    return (
      <p role="alert" className="text-down text-xs">
        The counts could not be fetched: {error}
      </p>
    );
  }
  return (
    <p className="min-h-8 text-muted text-xs tabular-nums">
      {facets === null ? (
        'Counting…'
      ) : (
        <>
          <span className="font-medium text-text">
            {count(facets.matching)} of {count(facets.total)} match
          </span>
          {' · '}
          {count(facets.recent)} detected in the last 10 min match now
        </>
      )}
    </p>
  );
}

function UnknownChoice({ limits, hidden, onLimits }: Part & { hidden: number | null }) {
  const shows = limits.unknown === 'show';
  return (
    <fieldset className="flex flex-wrap items-center gap-x-2 gap-y-1 border-line border-b py-2.5 text-xs">
      <legend className="sr-only">Tokens with unknown values</legend>
      <span className="font-medium" aria-hidden="true">
        Unknown values:
      </span>
      <Choice
        options={[
          { value: 'hide', label: 'hide' },
          { value: 'show', label: 'show' },
        ]}
        value={shows ? 'show' : 'hide'}
        onChange={(value) => onLimits(withPart(limits, { unknown: value === 'show' ? 'show' : undefined }))}
      />
      {!shows && hidden !== null && <span className="text-muted tabular-nums">hides {count(hidden)}</span>}
    </fieldset>
  );
}

function Ranges({ limits, facets, onLimits }: Part & { facets: Facets | null }) {
  const ranges = useMemo(() => parseRanges(limits.f ?? '').ranges, [limits.f]);
  function setRange(field: RangeField, range: Range | null): void {
    const { [field]: _, ...others } = ranges;
    const f = formatRanges(range === null ? others : { ...others, [field]: range });
    onLimits(withPart(limits, { f: f === '' ? undefined : f }));
  }
  // A figure that no source gives is not offered.
  const isOffered = (field: RangeField) =>
    facets === null || facets.total === 0 || facets.fields[field] !== undefined || ranges[field] !== undefined;
  return fieldGroups.map(({ title, fields }) => (
    <Group key={title} title={title}>
      {fields.filter(isOffered).map((field) => (
        <RangeLine
          key={field}
          field={field}
          range={ranges[field]}
          facet={facets?.fields[field]}
          onChange={(range) => setRange(field, range)}
        />
      ))}
      {title === 'Market' && (
        <div className="flex items-center justify-between gap-2 text-xs">
          <span className="font-medium">Stage</span>
          <Choice
            options={[
              { value: 'any', label: 'Any' },
              { value: 'curve', label: 'Curve' },
              { value: 'pool', label: 'Migrated' },
            ]}
            value={limits.stage ?? 'any'}
            onChange={(stage) => onLimits(withPart(limits, { stage: stage === 'any' ? undefined : stage }))}
          />
        </div>
      )}
      {title === 'Creator' && (
        <Switch
          label="Copies hidden"
          checked={limits.copies === 'hide'}
          onChange={(hides) => onLimits(withPart(limits, { copies: hides ? 'hide' : undefined }))}
        />
      )}
    </Group>
  ));
}

function Sources({ limits, facets, onLimits }: Part & { facets: Facets | null }) {
  const chosen = new Set(limits.source?.split(',') ?? []);
  const known = facets?.sources ?? [];
  const gone = [...chosen].filter((source) => !known.some((one) => one.source === source));
  const all = [...known, ...gone.map((source) => ({ source, count: 0 }))];
  if (all.length === 0) return null;
  const toggle = (source: string) => {
    const next = chosen.has(source) ? [...chosen].filter((one) => one !== source) : [...chosen, source];
    onLimits(withPart(limits, { source: next.length === 0 ? undefined : next.join(',') }));
  };
  return (
    <Group title="Source">
      {all.map(({ source, count: tokens }) => (
        <label key={source} className="flex min-h-6 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={chosen.has(source)}
            onChange={() => toggle(source)}
            className="size-4 accent-accent"
          />
          <bdi className="min-w-0 flex-1 truncate">{cleanText(source)}</bdi>
          <span className="text-muted text-xs tabular-nums">{count(tokens)}</span>
        </label>
      ))}
    </Group>
  );
}

function useSheet(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(SHEET);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => window.matchMedia(SHEET).matches,
  );
}
