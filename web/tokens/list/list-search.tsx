import { Search } from 'lucide-react';
import type { RefObject } from 'react';
import { HeaderSlot } from '../../layout/header-slot.tsx';
import { Input } from '../../ui/field.tsx';

/** Maximum length of a search text on the server. */
const SEARCH_MAX = 100;

export function ListSearch(props: {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
}) {
  const { input, text, onText } = props;
  return (
    <HeaderSlot>
      <search className="relative block w-full">
        <Input
          ref={input}
          icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
          type="search"
          value={text}
          maxLength={SEARCH_MAX}
          onChange={(event) => onText(event.target.value)}
          placeholder="Search by name, symbol, or address..."
          aria-label="Search by name, symbol, or address"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          className="h-8 pr-9 [&::-webkit-search-cancel-button]:hidden"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2 my-auto grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong px-1 font-mono text-2xs text-muted max-md:hidden"
        >
          {text === '' ? '/' : 'Esc'}
        </span>
      </search>
    </HeaderSlot>
  );
}
