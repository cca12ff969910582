import { type FieldPathByValue, useFormContext } from 'react-hook-form';
import { parseNumberInput } from '../auto-buy/format.ts';
import { Field } from '../ui/field.tsx';
import type { StrategyDraft } from './draft.ts';

type NumberName = FieldPathByValue<StrategyDraft, number | undefined>;

/** A number field of the strategy form. `min` and `max` are hints only; the schema decides. */
export function NumberField(props: {
  name: NumberName;
  label: string;
  unit: string;
  hint: string;
  min: number;
  max?: number;
  step: number;
}) {
  const { name, label, unit, hint, min, max, step } = props;
  const { register, getFieldState, formState } = useFormContext<StrategyDraft>();
  return (
    <Field
      label={label}
      type="number"
      inputMode="decimal"
      min={min}
      {...(max === undefined ? {} : { max })}
      step={step}
      trailing={<span className="pr-2 text-muted text-xs">{unit}</span>}
      hint={hint}
      error={getFieldState(name, formState).error?.message}
      {...register(name, { setValueAs: parseNumberInput })}
    />
  );
}
