import { type FieldPathByValue, useController, useFormContext } from 'react-hook-form';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useAtomValue } from '../store.ts';
import { DateTimeField } from '../ui/date-time-field.tsx';
import type { StrategyDraft } from './draft.ts';

type TimeName = FieldPathByValue<StrategyDraft['configuration']['timeConfig'], string | undefined>;

/** What it means that a moment has passed already; a start in the past means nothing. */
const whenPassed: Partial<Record<TimeName, string>> = {
  targetTime: 'This time has passed: every token detected before it would be bought at once.',
  endTime: 'This time has passed: nothing would be bought.',
};

/** A moment of the strategy form: a date-time picker in the browser's time zone. */
export function TimeField({ name, label, hint }: { name: TimeName; label: string; hint: string }) {
  const { control } = useFormContext<StrategyDraft>();
  const { field, fieldState } = useController({ control, name: `configuration.timeConfig.${name}` });
  const now = useAtomValue(serverClockAtom);
  const passed = field.value !== undefined && Date.parse(field.value) < now ? whenPassed[name] : undefined;
  return (
    <DateTimeField
      label={label}
      hint={passed === undefined ? hint : <span className="text-risk-medium">{passed}</span>}
      error={fieldState.error?.message}
      value={field.value}
      onChange={field.onChange}
    />
  );
}
