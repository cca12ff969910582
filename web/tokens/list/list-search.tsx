import { Search } from 'lucide-react';
import { type RefObject, useEffect } from 'react';
import { HeaderSlot } from '../../layout/header-slot.tsx';
import { useLiveMarket } from '../../live/live.ts';
import { useAtom } from '../../store.ts';
import { Input } from '../../ui/field.tsx';
import { searchTextAtom } from './controls.ts';

/** Delay of the search on the server after typing, ms; loaded rows are filtered at once. */
const SEARCH_REST_MS = 250;
/** Maximum length of a search text on the server. */
const SEARCH_MAX = 100;

export function ListSearch({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useAtom(searchTextAtom);
  const { loader } = useLiveMarket();
  const wanted = text.trim();
  useEffect(() => {
    // An empty text clears the search at once.
    const timer = setTimeout(() => void loader.search(wanted), wanted === '' ? 0 : SEARCH_REST_MS);
    return () => clearTimeout(timer);
  }, [loader, wanted]);
  return (
    <HeaderSlot>
      <search className="relative block w-full">
        <Input
          ref={input}
          icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
          type="search"
          value={text}
          maxLength={SEARCH_MAX}
          onChange={(event) => setText(event.target.value)}
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
