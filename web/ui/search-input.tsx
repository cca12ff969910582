import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import { Input } from './field.tsx';
import { Spinner } from './spinner.tsx';

/** A search box above a list. */
export function SearchInput({
  label,
  placeholder = `${label}...`,
  value,
  onChange,
  maxLength,
  busy = false,
  className = 'max-w-96 basis-56 max-sm:basis-full',
}: {
  /** Accessible name, and the placeholder unless `placeholder` is set. */
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  /** Whether a search is pending. */
  busy?: boolean;
  /** Class names of its width. */
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

/** Delay after the last keystroke before a search starts, ms. */
const DEBOUNCE_MS = 250;

/** Returns the text to search for: after a pause in typing, or at once when it was cleared. */
export function useSearchText(text: string): string {
  const [searched, setSearched] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), text === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return searched;
}
