import { useFormContext, useWatch } from 'react-hook-form';
import { SelectField } from '../ui/select.tsx';
import type { StrategyDraft } from './draft.ts';
import { FigureField } from './figure-field.tsx';
import { type AnyOption, type OptionForm, type SectionName, sections } from './sections.ts';
import { TimeField } from './time-field.tsx';

const NO_CONDITION = 'none';

/** One kind of condition: the choice of its option, and the fields of the option that is chosen. */
export function ConditionSection({
  name,
  optional,
}: {
  name: SectionName;
  /** Whether there may be no condition of this kind: in a mixed strategy. */
  optional: boolean;
}) {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const { option, used } = useWatch({ control, name: `configuration.${name}` });
  const { title, options } = sections[name];
  const named = Object.entries<OptionForm>(options);
  const chosen = optional && !used ? undefined : named.find(([value]) => value === option);
  return (
    <fieldset className="min-w-0 rounded-md border border-line p-3">
      <legend className="px-1 font-medium text-sm">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label={`${title} option`}
          value={chosen?.[0] ?? NO_CONDITION}
          options={[
            ...(optional ? [{ value: NO_CONDITION, label: 'No condition' }] : []),
            ...named.map(([value, { label }]) => ({ value, label })),
          ]}
          onChange={(value) => {
            const condition = isOption(options, value);
            setValue(`configuration.${name}.used`, condition);
            if (condition) setValue(`configuration.${name}.option`, value);
          }}
        />
        {chosen?.[1].fields.map((field) =>
          field.kind === 'figure' ? (
            <FigureField key={field.name} {...field} />
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
