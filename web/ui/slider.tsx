import * as RadixSlider from '@radix-ui/react-slider';
import { useId, useState } from 'react';
import { classNames } from './class-names.ts';
import { controlClass } from './field.tsx';

/**
 * A slider with its value beside it, which can also be typed. A typed value is applied on blur or Enter, clamped to the
 * bounds and rounded to a step; invalid text is discarded.
 */
export function Slider(props: {
  label: string;
  hint?: string;
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step: number;
  /** Shown after the value, e.g. `SOL` or `%`. */
  unit: string;
  /** Decimals of the shown value. */
  decimals?: number;
  disabled?: boolean;
}) {
  const { label, hint, value, onChange, min, max, step, unit, decimals = 0, disabled = false } = props;
  const id = useId();
  const change = (next: number) => onChange(onStep(next, { min, max, step }));
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-center justify-between gap-3">
        <span id={`${id}-label`} className="font-medium text-muted text-xs">
          {label}
        </span>
        <span className="flex items-center gap-1.5 text-muted text-xs">
          <TypedValue
            label={`${label}, ${unit}`}
            value={value.toFixed(decimals)}
            onChange={change}
            disabled={disabled}
          />
          <span className="min-w-6">{unit}</span>
        </span>
      </div>
      <RadixSlider.Root
        value={[value]}
        onValueChange={([next]) => next !== undefined && change(next)}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        className="relative flex h-6 touch-none select-none items-center data-disabled:opacity-50"
      >
        <RadixSlider.Track className="relative h-1 grow rounded-full bg-line-strong">
          <RadixSlider.Range className="absolute h-full rounded-full bg-accent" />
        </RadixSlider.Track>
        <RadixSlider.Thumb
          aria-labelledby={`${id}-label`}
          aria-valuetext={`${value.toFixed(decimals)} ${unit}`}
          {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
          className="block size-4 rounded-full border-2 border-accent bg-bg shadow-raised transition-colors hover:bg-raised"
        />
      </RadixSlider.Root>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-0.5 text-faint text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

function TypedValue(props: { label: string; value: string; onChange: (value: number) => void; disabled: boolean }) {
  const { label, value, onChange, disabled } = props;
  const [draft, setDraft] = useState<string | null>(null);

  function apply(text: string): void {
    setDraft(null);
    const typed = Number(text.trim().replace(',', '.'));
    if (text.trim() !== '' && Number.isFinite(typed)) onChange(typed);
  }

  return (
    <input
      aria-label={label}
      inputMode="decimal"
      disabled={disabled}
      value={draft ?? value}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={(event) => draft !== null && apply(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || draft === null) return;
        // Applies the value; a second Enter submits the form.
        event.preventDefault();
        apply(event.currentTarget.value);
      }}
      className={classNames(controlClass, 'h-7 max-w-18 px-2 text-right text-sm tabular-nums')}
    />
  );
}

/** Returns the nearest value within the bounds on a step, without the noise of binary fractions. */
export function onStep(value: number, { min, max, step }: { min: number; max: number; step: number }): number {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
  return Math.min(max, Number((min + steps * step).toFixed(6)));
}
