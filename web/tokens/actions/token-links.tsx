import { Copy, Ellipsis, ExternalLink } from 'lucide-react';
import { memo, useState } from 'react';
import { solscanUrl } from '../../../common/client-config/explorer.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { classNames } from '../../ui/class-names.ts';
import { copyToClipboard } from '../../ui/clipboard.ts';
import { Menu, MenuItem, MenuLabel, MenuLink } from '../../ui/menu.tsx';
import { listLabels, useChangeList } from '../../watchlists/change-list.tsx';
import { listLooks } from '../../watchlists/list-looks.tsx';
import type { Marks } from '../../watchlists/lists.ts';
import { ON_NO_CHAIN } from '../links.ts';

const ON_TEST_CHAIN = 'This token is not on mainnet, so no public page shows it.';

/** Pages of others about a token of mainnet. */
const pages: readonly { label: string; sign: string; url: (address: string) => string }[] = [
  { label: 'pump.fun', sign: 'P', url: (address) => `https://pump.fun/coin/${encodeURIComponent(address)}` },
  {
    label: 'DexScreener',
    sign: 'D',
    url: (address) => `https://dexscreener.com/solana/${encodeURIComponent(address)}`,
  },
  { label: 'Solscan', sign: 'S', url: solscanUrl },
  { label: 'X search', sign: 'X', url: (address) => `https://x.com/search?q=${encodeURIComponent(address)}` },
];

interface Linked {
  token: Pick<Token, 'address' | 'metadata'>;
  /** Name of the token for screen readers. */
  name: string;
  /** In a row, where the arrow keys lead to them, or elsewhere. */
  place: 'row' | 'page';
}

/** Renders a button that copies the address, and links to other pages about the token; off with the reason where it has none. */
export const TokenLinks = memo(function TokenLinks({ token, name, place }: Linked) {
  const reason = whyNoPages(token);
  const inRow = place === 'row' ? { tabIndex: -1, 'data-row-action': '' } : {};
  const byKey = place === 'row' ? { title: 'Copy address (c)', 'aria-keyshortcuts': 'c' } : { title: 'Copy address' };
  const look =
    'inline-flex h-7 min-w-7 items-center justify-center gap-1 rounded-md px-1 font-medium text-2xs transition-colors';
  const on = 'text-muted hover:bg-text/8 hover:text-text';
  return (
    <>
      <button
        type="button"
        {...inRow}
        aria-label={`Copy the address of ${name}`}
        {...byKey}
        onClick={() => void copyAddress(token.address)}
        className={classNames(look, on)}
      >
        <Copy size={15} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {pages.map(({ label, sign, url }) =>
        reason === null ? (
          <a
            key={label}
            href={url(token.address)}
            target="_blank"
            rel="noopener noreferrer"
            {...inRow}
            aria-label={`${name} on ${label}`}
            title={label}
            className={classNames(look, on)}
          >
            {place === 'row' ? sign : label}
            {place === 'page' && <ExternalLink size={12} strokeWidth={1.75} aria-hidden="true" />}
          </a>
        ) : (
          <button
            key={label}
            type="button"
            aria-disabled="true"
            aria-label={`${name} on ${label}. ${reason}`}
            title={`${label}: ${reason}`}
            {...inRow}
            className={classNames(look, 'cursor-not-allowed text-faint')}
          >
            {place === 'row' ? sign : label}
          </button>
        ),
      )}
    </>
  );
});

/** Renders a button that opens the same as a menu, where a row has no room for all. `marks`: with the lists of the user. */
export const TokenLinksMenu = memo(function TokenLinksMenu(props: Omit<Linked, 'place'> & { marks?: Marks | null }) {
  // Most menus are never opened: before the first press there is only a button.
  const [used, setUsed] = useState(false);
  const trigger = (
    <button
      type="button"
      tabIndex={-1}
      data-row-action=""
      aria-label={`More about ${props.name}`}
      aria-haspopup="menu"
      title="Address and links"
      onClick={() => setUsed(true)}
      className="grid size-7 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-text/8 hover:text-text"
    >
      <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
  if (!used) return trigger;
  return (
    <Menu side="bottom" opened trigger={trigger}>
      <MenuContent {...props} />
    </Menu>
  );
});

function MenuContent({ token, name, marks }: Omit<Linked, 'place'> & { marks?: Marks | null }) {
  const reason = whyNoPages(token);
  const change = useChangeList();
  const { address } = token;
  return (
    <>
      <MenuLabel>
        <bdi className="block max-w-52 truncate">{name}</bdi>
      </MenuLabel>
      {marks != null &&
        listLooks.map(({ list, verb, icon: Icon }) => (
          <MenuItem
            key={list}
            icon={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
            onSelect={() => change({ list, address, on: !marks[list] })}
          >
            {marks[list] ? `Remove from ${listLabels[list]}` : verb}
          </MenuItem>
        ))}
      <MenuItem
        icon={<Copy size={16} strokeWidth={1.75} aria-hidden="true" />}
        onSelect={() => void copyAddress(address)}
      >
        Copy address
      </MenuItem>
      {reason === null ? (
        pages.map(({ label, url }) => (
          <MenuLink
            key={label}
            href={url(address)}
            icon={<ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />}
            newTab
          >
            {label}
          </MenuLink>
        ))
      ) : (
        <MenuLabel>
          <span className="block max-w-52">{reason}</span>
        </MenuLabel>
      )}
    </>
  );
}

/** Returns why no page of others shows a token; null where they do. */
function whyNoPages({ metadata: { cluster } }: Linked['token']): string | null {
  if (cluster === null) return ON_NO_CHAIN;
  return cluster === 'mainnet' ? null : ON_TEST_CHAIN;
}

/** Copies the address of a token, and says so. */
export function copyAddress(address: string): Promise<void> {
  return copyToClipboard(address, 'The address');
}
