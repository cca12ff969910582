import * as RadixDialog from '@radix-ui/react-dialog';
import { Command } from 'cmdk';
import {
  ArrowLeftRight,
  Columns3,
  Keyboard,
  List,
  type LucideIcon,
  Moon,
  Search,
  SlidersHorizontal,
  Sun,
} from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { readyPresets } from '../../common/presets/model.ts';
import { SEARCH_MAX, tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';
import { callQuery } from '../http/query.ts';
import { useMenu } from '../layout/menu-entries.ts';
import { themeAtom } from '../layout/theme.ts';
import { hasNoRateAtom, unitAtom } from '../live/atoms/unit.ts';
import { atom, atomWithQuery, useAtom, useAtomValue, useSetAtom } from '../store.ts';
import { viewAtom } from '../tokens/board/board-state.ts';
import { detailPath } from '../tokens/links.ts';
import { paramsOf } from '../tokens/list/controls.ts';
import { usePresets } from '../tokens/presets/use-presets.ts';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { TokenMark } from '../tokens/token-mark.tsx';
import { classNames } from '../ui/class-names.ts';
import { overlayClass, panelClass, useReturnFocus } from '../ui/dialog.tsx';
import { usd } from '../ui/format.ts';
import { useSearchText } from '../ui/search-input.tsx';

const LABEL = 'Search coins, pages, presets and actions';
/** Coins found for a search. */
const COINS = 8;

const views = [
  { value: 'list', label: 'Tokens as a list', icon: List },
  { value: 'board', label: 'Tokens as a board', icon: Columns3 },
] as const;

const isInWord = (sign: string | undefined) => sign !== undefined && /[a-z0-9]/.test(sign);

/**
 * By starts of words, not by scattered letters as the library does: nearly everything has those. `words`: searched in place of the
 * value.
 */
const hasText = (value: string, text: string, words: readonly string[] = []) => {
  const searched = (words.length === 0 ? value : words.join(' ')).toLowerCase();
  const part = text.trim().toLowerCase();
  for (let at = searched.indexOf(part); at >= 0; at = searched.indexOf(part, at + 1)) {
    if (!(isInWord(searched[at - 1]) && isInWord(part[0]))) return 1;
  }
  return 0;
};

/** Searches coins, pages, presets and actions by one field: arrows choose, Enter opens, Escape closes. */
export default function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [text, setText] = useState('');
  const [, go] = useLocation();
  const focus = useReturnFocus();
  const { coins, isSearching } = useCoins(text.trim());
  const open = (path: string) => {
    onClose();
    go(path);
  };
  return (
    <RadixDialog.Root open onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          {...focus}
          aria-describedby={undefined}
          className={classNames(panelClass, 'max-w-xl overflow-hidden')}
        >
          <RadixDialog.Title className="sr-only">{LABEL}</RadixDialog.Title>
          <Command label={LABEL} filter={hasText} className="flex min-h-0 flex-col">
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <Search size={16} strokeWidth={1.75} aria-hidden="true" className="text-muted" />
              <Command.Input
                value={text}
                onValueChange={setText}
                maxLength={SEARCH_MAX}
                placeholder="Coin, page, preset or action"
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
              />
            </div>
            <Command.List className="scroll-quiet max-h-[min(420px,60dvh)] overflow-y-auto p-2">
              <Command.Empty className="px-2 py-6 text-center text-muted text-sm">
                {isSearching ? 'Searching …' : 'Nothing found.'}
              </Command.Empty>
              <Coins tokens={coins} text={text} onOpen={open} />
              <Places onOpen={open} />
              <Actions onHelp={onHelp} onClose={onClose} onOpen={open} />
            </Command.List>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Tokens that the server has found: their text has the search, so that they stay in the list. */
function Coins({ tokens, text, onOpen }: { tokens: readonly Token[]; text: string; onOpen: (path: string) => void }) {
  if (tokens.length === 0) return null;
  return (
    <Group heading="Coins">
      {tokens.map((token) => (
        <Item
          key={token.address}
          value={`${text} ${token.address}`}
          mark={<TokenMark address={token.address} size={20} />}
          onSelect={() => onOpen(detailPath(token.address))}
          hint={`MC ${usd(token.marketCap)}`}
        >
          <bdi>{nameOf(token)}</bdi> <bdi className="text-muted">{symbolOf(token)}</bdi>
        </Item>
      ))}
    </Group>
  );
}

/** Pages of the menu, and lists by their presets. */
function Places({ onOpen }: { onOpen: (path: string) => void }) {
  const menu = useMenu();
  const presets = usePresets();
  return (
    <>
      <Group heading="Pages">
        {menu.map(({ label, href, icon }) => (
          <Item key={href} value={label} icon={icon} onSelect={() => onOpen(href)}>
            {label}
          </Item>
        ))}
      </Group>
      <Group heading="Presets">
        {[...readyPresets.map((preset) => ({ ...preset, id: preset.name })), ...(presets.data ?? [])].map(
          ({ id, name, choice }) => (
            <Item
              key={id}
              value={id}
              words={[`preset ${name}`]}
              icon={SlidersHorizontal}
              onSelect={() => onOpen(`/app/tokens?${paramsOf(choice)}`)}
            >
              {name}
            </Item>
          ),
        )}
      </Group>
    </>
  );
}

function Actions(props: { onHelp: () => void; onClose: () => void; onOpen: (path: string) => void }) {
  const { onHelp, onClose, onOpen } = props;
  const [theme, setTheme] = useAtom(themeAtom);
  const [unit, setUnit] = useAtom(unitAtom);
  const hasNoRate = useAtomValue(hasNoRateAtom);
  const setView = useSetAtom(viewAtom);
  const other = theme === 'light' ? 'dark' : 'light';
  return (
    <Group heading="Actions">
      <Item value="keys help" icon={Keyboard} onSelect={onHelp} hint="?">
        Show all keys
      </Item>
      {views.map(({ value, label, icon }) => (
        <Item
          key={value}
          value={`tokens as a ${value}`}
          icon={icon}
          onSelect={() => {
            setView(value);
            onOpen('/app/tokens');
          }}
        >
          {label}
        </Item>
      ))}
      {!hasNoRate && (
        <Item
          value={`market cap in ${unit === 'usd' ? 'sol' : 'us dollars'} unit usd`}
          icon={ArrowLeftRight}
          hint="u"
          onSelect={() => {
            setUnit(unit === 'usd' ? 'sol' : 'usd');
            onClose();
          }}
        >
          {unit === 'usd' ? 'Market cap in SOL' : 'Market cap in US dollars'}
        </Item>
      )}
      <Item
        value={`theme ${other}`}
        icon={other === 'light' ? Sun : Moon}
        onSelect={() => {
          setTheme(other);
          onClose();
        }}
      >
        {other === 'light' ? 'Light theme' : 'Dark theme'}
      </Item>
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

function Item(props: {
  /** Different for each item. */
  value: string;
  /** Texts that it is found by; its value by default. */
  words?: string[];
  onSelect: () => void;
  icon?: LucideIcon;
  mark?: ReactNode;
  hint?: string;
  children: ReactNode;
}) {
  const { value, words, onSelect, icon: Icon, mark, hint, children } = props;
  return (
    <Command.Item
      value={value}
      {...(words === undefined ? {} : { keywords: words })}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm aria-selected:bg-text/8"
    >
      {Icon === undefined ? mark : <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="text-muted" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint !== undefined && <span className="text-2xs text-muted tabular-nums">{hint}</span>}
    </Command.Item>
  );
}

const noCoins = atom({ data: undefined, isFetching: false });

/** Returns the newest coins that match a text; none without one, and none of a text before it. */
function useCoins(text: string) {
  const q = useSearchText(text);
  const query = useMemo(
    () => (q === '' ? noCoins : atomWithQuery(() => callQuery(tokenCalls.list, { query: { q, limit: COINS } }))),
    [q],
  );
  const { data = [], isFetching } = useAtomValue(query);
  return q === text ? { coins: data, isSearching: isFetching } : { coins: [], isSearching: true };
}
