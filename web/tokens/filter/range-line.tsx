import { CircleHelp } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { isRange, type Range, type RangeField } from '../../../common/tokens/filters.ts';
import type { Facet } from '../../../common/tokens/http.ts';
import { classNames } from '../../ui/class-names.ts';
import { FieldError, Input } from '../../ui/field.tsx';
import { TYPED_MS } from './drawer-parts.tsx';
import { fieldTexts, parseFigure, typedFigure, type Unit } from './fields.ts';
import { Histogram } from './histogram.tsx';

const noRange: Range = { min: null, max: null };
const bounds = ['min', 'max'] as const;

interface Draft {
  min: string;
  max: string;
}

/** Renders the limits of one figure: its bounds, how the tokens are spread over it, and its definition on request. */
export function RangeLine(props: {
  field: RangeField;
  /** Undefined: no limit. */
  range: Range | undefined;
  facet: Facet | undefined;
  /** Number of times that all limits were cleared. */
  cleared: number;
  onFocus: () => void;
  onChange: (range: Range | null) => void;
}) {
  const { field, range = noRange, facet, cleared, onFocus, onChange } = props;
  const { label, unit, definition, unknown } = fieldTexts[field];
  const id = useId();
  const [helps, setHelps] = useState(false);
  const { draft, type, error, commit } = useDraft({ range, unit, cleared, onChange });
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-center gap-1.5">
        <span aria-hidden="true" className="min-w-0 truncate font-medium text-xs">
          {label}
        </span>
        <button
          type="button"
          aria-expanded={helps}
          aria-controls={`${id}-help`}
          aria-label={`What is ${label}?`}
          onClick={() => setHelps((before) => !before)}
          className={classNames(
            'grid size-6 shrink-0 place-items-center rounded-sm hover:text-text',
            helps ? 'text-text' : 'text-muted',
          )}
        >
          <CircleHelp size={13} strokeWidth={1.75} aria-hidden="true" />
        </button>
        <span className="ml-auto flex items-center gap-1">
          {bounds.map((bound) => (
            <Input
              key={bound}
              value={draft[bound]}
              onChange={(event) => type({ ...draft, [bound]: event.target.value })}
              onFocus={onFocus}
              onBlur={commit}
              onKeyDown={(event) => event.key === 'Enter' && commit()}
              placeholder={bound}
              aria-label={`${label}, ${bound === 'min' ? 'at least' : 'at most'}`}
              aria-invalid={error?.bounds.includes(bound) === true}
              aria-describedby={error === null ? undefined : `${id}-error`}
              inputMode={unit === 'percent' ? 'decimal' : 'text'}
              autoComplete="off"
              spellCheck={false}
              maxLength={16}
              className="h-7! w-18! px-2! text-right text-xs! tabular-nums"
            />
          ))}
        </span>
      </div>
      {error !== null && <FieldError id={`${id}-error`}>{error.text}</FieldError>}
      <p id={`${id}-help`} hidden={!helps} className="text-muted text-xs">
        {definition} {unknown}
        {unit === 'seconds' && ' Write 90s, 10m, 2h or 1d; a number alone is minutes.'}
      </p>
      {facet !== undefined && <Histogram facet={facet} range={range} unit={unit} />}
    </fieldset>
  );
}

interface Drafted {
  range: Range;
  unit: Unit;
  cleared: number;
  onChange: (range: Range | null) => void;
}

/**
 * Keeps the typed texts of a range, which the range follows once they are a range and the typing rests, or at `commit`. The
 * texts follow other changes of the range.
 */
function useDraft({ range, unit, cleared, onChange }: Drafted) {
  const ofRange = (): Draft => ({ min: typedFigure(range.min, unit), max: typedFigure(range.max, unit) });
  const [draft, setDraft] = useState(ofRange);
  const [known, setKnown] = useState(range);
  const typed = { min: parseFigure(draft.min, unit), max: parseFigure(draft.max, unit) };
  if (known.min !== range.min || known.max !== range.max) {
    setKnown(range);
    // A preset or another tab of the history; the user's own bounds stay as they are typed.
    if (typed.min !== range.min || typed.max !== range.max) setDraft(ofRange());
  }
  const [knownCleared, setKnownCleared] = useState(cleared);
  if (knownCleared !== cleared) {
    setKnownCleared(cleared);
    setDraft({ min: '', max: '' });
  }
  const error = errorOf(typed);
  const wanted = error === null ? JSON.stringify(typed) : null;
  const isKnown = typed.min === range.min && typed.max === range.max;
  function commit(json: string): void {
    const { min, max }: Range = JSON.parse(json);
    onChange(min === null && max === null ? null : { min, max });
  }
  const commitRested = useEffectEvent(commit);
  useEffect(() => {
    if (wanted === null || isKnown) return;
    const timer = setTimeout(() => commitRested(wanted), TYPED_MS);
    return () => clearTimeout(timer);
  }, [wanted, isKnown]);
  function commitNow(): void {
    if (wanted !== null && !isKnown) commit(wanted);
  }
  return { draft, type: setDraft, error, commit: commitNow };
}

type Bound = keyof Range;

/** Returns the fault of typed bounds, and the bounds that have it; null for a range. */
function errorOf(typed: Record<Bound, number | null | 'wrong'>): { text: string; bounds: readonly Bound[] } | null {
  const { min, max } = typed;
  const wrong = bounds.filter((bound) => typed[bound] === 'wrong');
  if (min === 'wrong' || max === 'wrong') return { text: 'This is no figure. Write for example 1.5K.', bounds: wrong };
  if ((min === null && max === null) || isRange({ min, max })) return null;
  return { text: 'The first figure is above the second.', bounds };
}
