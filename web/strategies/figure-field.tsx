import type { FieldPathByValue } from 'react-hook-form';
import { useFormContext } from 'react-hook-form';
import { typedNumber } from '../auto-buy/amounts.ts';
import { Field } from '../ui/field.tsx';
import type { StrategyDraft } from './draft.ts';

type FigureName = FieldPathByValue<StrategyDraft, number | undefined>;

/** A number of the strategy form. `min` and `max` are hints that never stop anybody: what is refused is up to the schema. */
export function FigureField({
  name,
  label,
  unit,
  hint,
  min,
  max,
  step,
}: {
  name: FigureName;
  label: string;
  unit: string;
  hint: string;
  min: number;
  max?: number;
  step: number;
}) {
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
      {...register(name, { setValueAs: typedNumber })}
    />
  );
}
