import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import {
  filterFields,
  formatRanges,
  parseRanges,
  type Range,
  type RangeField,
  type Ranges,
  rangeFields,
  type TokenFilter,
} from '../../../common/tokens/filters.ts';
import type { Facets, ListChoice } from '../../../common/tokens/http.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useReturnFocus } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { Switch } from '../../ui/switch.tsx';
import { NARROW, useMedia } from '../../ui/use-media.ts';
import { cleanText } from '../text.ts';
import { Group, WordsField } from './drawer-parts.tsx';
import { fieldGroups } from './fields.ts';
import { RangeLine } from './range-line.tsx';
import { useFacets } from './use-facets.ts';

interface DrawerProps {
  /** What the list shows; its named filter and its search count as well. */
  choice: ListChoice;
  limits: TokenFilter;
  onLimits: (limits: TokenFilter) => void;
  onClose: () => void;
}

/** Renders the limits of the list beside it, or over it on a narrow screen. The list stays live. */
export default function FilterDrawer(props: DrawerProps) {
  const isSheet = useMedia(NARROW);
  function close(): void {
    // The field that has the focus takes its typed text.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    props.onClose();
  }
  const Frame = isSheet ? Sheet : Beside;
  return <Frame onClose={close}>{(title) => <DrawerContent {...props} title={title} onClose={close} />}</Frame>;
}

interface FrameProps {
  onClose: () => void;
  children: (title: ReactNode) => ReactNode;
}

const frameClass = 'flex flex-col border-line bg-surface outline-none';
const titleClass = 'font-semibold text-base';

/** Covers a narrow screen. */
function Sheet({ onClose, children }: FrameProps) {
  const focus = useReturnFocus();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Content
        {...focus}
        aria-describedby={undefined}
        aria-modal
        onInteractOutside={(event) => event.preventDefault()}
        className={classNames(frameClass, 'fixed inset-0 z-50')}
      >
        {children(<RadixDialog.Title className={titleClass}>Filters</RadixDialog.Title>)}
      </RadixDialog.Content>
    </RadixDialog.Root>
  );
}

/** Stands beside the list, which is used while it is open, with its own keys: Escape closes it only from within. */
function Beside({ onClose, children }: FrameProps) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    return () => {
      // The focus was within, and went with it.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [before]);
  return (
    <section
      ref={panel}
      role="dialog"
      aria-modal={false}
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      className={classNames(
        frameClass,
        'sticky top-15 max-h-[calc(100dvh-72px)] w-90 shrink-0 self-start rounded-lg border',
      )}
    >
      {children(
        <h2 id={id} className={titleClass}>
          Filters
        </h2>,
      )}
    </section>
  );
}

function DrawerContent({ choice, limits, onLimits, onClose, title }: DrawerProps & { title: ReactNode }) {
  const { facets, error } = useFacets(choice);
  const [cleared, setCleared] = useState(0);
  function clear(): void {
    setCleared((before) => before + 1);
    onLimits({});
  }
  return (
    <>
      <header className="flex items-start justify-between gap-2 border-line border-b py-2 pr-2 pl-4">
        <div className="min-w-0">
          {title}
          <Matches facets={facets} error={error} />
        </div>
        <span className="flex shrink-0">
          <Button size="sm" variant="ghost" onClick={clear}>
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
        <RangeGroups limits={limits} facets={facets} onLimits={onLimits} cleared={cleared} />
        <Group title="Words">
          <WordsField
            label="With one of these words"
            text={limits.include}
            schema={filterFields.include}
            cleared={cleared}
            onText={(include) => onLimits(withPart(limits, { include }))}
          />
          <WordsField
            label="Without these words"
            text={limits.exclude}
            schema={filterFields.exclude}
            cleared={cleared}
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

function RangeGroups(props: Part & { facets: Facets | null; cleared: number }) {
  const { limits, facets, onLimits, cleared } = props;
  const ranges = useMemo(() => parseRanges(limits.f ?? '').ranges, [limits.f]);
  function setRange(field: RangeField, range: Range | null): void {
    const { [field]: _, ...others } = ranges;
    const f = formatRanges(range === null ? others : { ...others, [field]: range });
    onLimits(withPart(limits, { f: f === '' ? undefined : f }));
  }
  const { isOffered, keep } = useOffered(facets, ranges);
  return fieldGroups.map(({ title, fields }) => (
    <Group key={title} title={title}>
      {fields.filter(isOffered).map((field) => (
        <RangeLine
          key={field}
          field={field}
          range={ranges[field]}
          facet={facets?.fields[field]}
          cleared={cleared}
          onFocus={() => keep([field])}
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

/**
 * Returns which figures are offered: none that no source gives. A figure that was offered, or used, stays while the drawer is
 * open: its counts are missing as well when no token passes the other limits.
 */
function useOffered(facets: Facets | null, ranges: Ranges) {
  const [kept, setKept] = useState<ReadonlySet<RangeField>>(new Set());
  const [isFirst, setFirst] = useState(true);
  function keep(fields: readonly RangeField[]): void {
    if (fields.some((field) => !kept.has(field))) setKept(new Set([...kept, ...fields]));
  }
  if (facets !== null) {
    // The limits of the address may leave no token to count at all.
    const knowsNone = facets.total === 0 || (isFirst && facets.matching === 0);
    keep(rangeFields.filter((field) => knowsNone || facets.fields[field] !== undefined || ranges[field] !== undefined));
    if (isFirst) setFirst(false);
  }
  const isOffered = (field: RangeField) => facets === null || kept.has(field) || ranges[field] !== undefined;
  return { isOffered, keep };
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
