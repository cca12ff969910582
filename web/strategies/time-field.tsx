import { type FieldPathByValue, useController, useFormContext } from 'react-hook-form';
import { DateTimeField } from '../ui/date-time-field.tsx';
import type { StrategyDraft } from './draft.ts';

/** A moment of the strategy form: a date-time picker in the browser's time zone. */
export function TimeField({
  name,
  label,
  hint,
}: {
  name: FieldPathByValue<StrategyDraft['configuration']['timeConfig'], string | undefined>;
  label: string;
  hint: string;
}) {
  const { control } = useFormContext<StrategyDraft>();
  const { field, fieldState } = useController({ control, name: `configuration.timeConfig.${name}` });
  return (
    <DateTimeField
      label={label}
      hint={hint}
      error={fieldState.error?.message}
      value={field.value}
      onChange={field.onChange}
    />
  );
}
