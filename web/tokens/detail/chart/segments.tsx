import { classNames } from '../../../ui/class-names.ts';

/** Offers a few choices side by side. */
export function Segments<Choice extends string>(props: {
  /** Name of the choice, for screen readers. */
  label: string;
  options: readonly { id: Choice; text: string; disabled?: boolean; title?: string }[];
  chosen: Choice;
  onChange: (choice: Choice) => void;
}) {
  const { label, options, chosen, onChange } = props;
  return (
    <fieldset className="flex gap-0.5 rounded-md border border-line p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(({ id, text, disabled = false, title }) => (
        <button
          key={id}
          type="button"
          aria-pressed={chosen === id}
          disabled={disabled}
          title={title}
          onClick={() => onChange(id)}
          className={classNames(
            'h-6 rounded-sm px-2 font-medium text-xs transition-colors disabled:opacity-50',
            chosen === id ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
          )}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
