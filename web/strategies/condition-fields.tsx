import { type FieldPathByValue, useController, useFormContext, useWatch } from 'react-hook-form';
import { type StrategyType, sectionOf } from '../../common/strategies/model.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useAtomValue } from '../store.ts';
import { DateTimeField } from '../ui/date-time-field.tsx';
import { FieldError } from '../ui/field.tsx';
import { SelectField } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import type { StrategyDraft } from './draft.ts';
import { NumberField } from './number-field.tsx';
import { type AnyOption, type OptionForm, type SectionName, sections } from './sections.ts';

const NO_CONDITION = 'none';

/** The conditions of the strategy's type: one section, or all four of a mixed strategy and how they are combined. */
export function ConditionFields({ type }: { type: StrategyType }) {
  const { formState } = useFormContext<StrategyDraft>();
  const { message } = formState.errors.configuration ?? {};
  return (
    <div className="flex flex-col gap-3">
      <Sections type={type} />
      {typeof message === 'string' && <FieldError id="configuration-error">{message}</FieldError>}
    </div>
  );
}

function Sections({ type }: { type: StrategyType }) {
  if (type !== 'mixed') return <ConditionSection key={type} name={sectionOf[type]} optional={false} />;
  return (
    <>
      <RequireAll />
      {Object.values(sectionOf).map((name) => (
        <ConditionSection key={name} name={name} optional />
      ))}
    </>
  );
}

function RequireAll() {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const all = useWatch({ control, name: 'configuration.requireAllConditions' });
  return (
    <Switch
      label="Require all conditions"
      hint={all ? 'On: all conditions must be met to buy.' : 'Off: any one condition triggers a buy.'}
      checked={all}
      onChange={(next) => setValue('configuration.requireAllConditions', next)}
    />
  );
}

/** One kind of condition: its option, and the fields of the selected option. */
function ConditionSection({
  name,
  optional,
}: {
  name: SectionName;
  /** Whether the condition may be left out, as in a mixed strategy. */
  optional: boolean;
}) {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const { option, used } = useWatch({ control, name: `configuration.${name}` });
  const { title, options } = sections[name];
  const entries = Object.entries<OptionForm>(options);
  const selected = optional && !used ? undefined : entries.find(([value]) => value === option);
  return (
    <fieldset className="min-w-0 rounded-md border border-line p-3">
      <legend className="px-1 font-medium text-sm">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label={`${title} option`}
          value={selected?.[0] ?? NO_CONDITION}
          options={[
            ...(optional ? [{ value: NO_CONDITION, label: 'No condition' }] : []),
            ...entries.map(([value, { label }]) => ({ value, label })),
          ]}
          onChange={(value) => {
            const condition = isOption(options, value);
            setValue(`configuration.${name}.used`, condition);
            if (condition) setValue(`configuration.${name}.option`, value);
          }}
        />
        {selected?.[1].fields.map((field) =>
          field.kind === 'number' ? (
            <NumberField key={field.name} {...field} />
          ) : (
            <TimeField key={field.name} {...field} />
          ),
        )}
      </div>
    </fieldset>
  );
}

function isOption(options: object, value: string): value is AnyOption {
  return Object.hasOwn(options, value);
}

type TimeName = FieldPathByValue<StrategyDraft['configuration']['timeConfig'], string | undefined>;

/** Warnings for a time in the past. A start time in the past needs none. */
const pastWarnings: Partial<Record<TimeName, string>> = {
  targetTime: 'This time has passed: every token detected before it would be bought at once.',
  endTime: 'This time has passed: nothing would be bought.',
};

/** A date-time picker in the browser's time zone. */
function TimeField({ name, label, hint }: { name: TimeName; label: string; hint: string }) {
  const { control } = useFormContext<StrategyDraft>();
  const { field, fieldState } = useController({ control, name: `configuration.timeConfig.${name}` });
  const now = useAtomValue(serverClockAtom);
  const warning = field.value !== undefined && Date.parse(field.value) < now ? pastWarnings[name] : undefined;
  return (
    <DateTimeField
      label={label}
      hint={warning === undefined ? hint : <span className="text-risk-medium">{warning}</span>}
      error={fieldState.error?.message}
      value={field.value}
      onChange={field.onChange}
    />
  );
}
