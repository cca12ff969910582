import { Ban, Eye, type LucideIcon, ShieldCheck } from 'lucide-react';
import type { WatchlistName } from '../../common/watchlists/model.ts';
import type { Marks } from './lists.ts';

/** Icon and verb of each list, in the order of the buttons. */
export const listLooks: readonly { list: WatchlistName; verb: string; icon: LucideIcon; hint: string }[] = [
  { list: 'watch', verb: 'Watch', icon: Eye, hint: 'Shows it under Watched Tokens on your dashboard.' },
  {
    list: 'white',
    verb: 'Whitelist',
    icon: ShieldCheck,
    hint: 'Your maximum risk does not apply to it. Liquidity and slippage limits still do.',
  },
  { list: 'black', verb: 'Blacklist', icon: Ban, hint: 'Hides it from your lists. It is never bought for you.' },
];

/** Marks a token as watched or whitelisted, beside its name. */
export function ListMarks({ marks }: { marks: Marks | null }) {
  if (marks === null || !(marks.watch || marks.white)) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-accent">
      {marks.watch && (
        <span title="Watched">
          <Eye size={12} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">Watched</span>
        </span>
      )}
      {marks.white && (
        <span title="Whitelisted">
          <ShieldCheck size={12} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">Whitelisted</span>
        </span>
      )}
    </span>
  );
}
