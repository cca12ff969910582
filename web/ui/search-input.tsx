import { Search } from 'lucide-react';
import { classNames } from './class-names.ts';
import { Input } from './field.tsx';
import { Spinner } from './spinner.tsx';

/** Where one types what to look for in the list below it. */
export function SearchInput({
  label,
  placeholder = `${label}...`,
  value,
  onChange,
  maxLength,
  busy = false,
  className = 'max-w-96 basis-56',
}: {
  /** For screen readers, and shown while nothing is typed unless `placeholder` says something else. */
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  /** It is being searched for. */
  busy?: boolean;
  /** Its width. */
  className?: string;
}) {
  return (
    <search className={classNames('min-w-0 flex-1', className)}>
      <Input
        icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
        {...(busy ? { trailing: <Spinner className="mr-2 text-muted" /> } : {})}
        type="search"
        value={value}
        {...(maxLength === undefined ? {} : { maxLength })}
        onChange={(event) => onChange(event.target.value)}
        placeholder={placeholder}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
      />
    </search>
  );
}
