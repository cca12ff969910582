import type { WalletLabel } from '../../../common/tokens/wallets/model.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

/** Each label as shown, with its meaning. */
const looks: Record<WalletLabel, { text: string; tone: BadgeTone; meaning: string }> = {
  developer: { text: 'Developer', tone: 'warning', meaning: 'Created the coin, paid for it, or earns its fees' },
  insider: {
    text: 'Insider',
    tone: 'danger',
    meaning: 'Bought right after the creation, in equal amounts with others, or with money of the developer',
  },
  'top-10': { text: 'Top 10', tone: 'neutral', meaning: 'One of the ten largest holders' },
  'first-20': { text: 'First 20', tone: 'neutral', meaning: 'One of the first 20 buyers other than the developer' },
  new: { text: 'New', tone: 'accent', meaning: 'Had fewer than 100 transactions when this coin was launched' },
};

/** Shows the labels of a wallet by weight, at most `max`. */
export function WalletBadges({ labels, max = labels.length }: { labels: readonly WalletLabel[]; max?: number }) {
  return labels.slice(0, max).map((label) => (
    <span key={label} title={looks[label].meaning} className="inline-flex">
      <Badge tone={looks[label].tone}>{looks[label].text}</Badge>
    </span>
  ));
}
