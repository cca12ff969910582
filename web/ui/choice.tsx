import { classNames } from './class-names.ts';

/** Renders a few choices side by side, of which one is pressed. */
export function Choice<Value extends string>(props: {
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <span className="inline-flex rounded-md border border-line bg-bg p-0.5">
      {props.options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={props.value === value}
          onClick={() => props.onChange(value)}
          className={classNames(
            'h-6 rounded-sm px-2 font-medium text-xs transition-colors',
            props.value === value ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
          )}
        >
          {label}
        </button>
      ))}
    </span>
  );
}
