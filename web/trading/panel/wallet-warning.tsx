import { Link } from 'wouter';
import { Notice } from '../../ui/notice.tsx';

/** The warning that trades need a wallet. */
export function WalletWarning() {
  return (
    <Notice tone="warning">
      Buying and selling needs a wallet set in{' '}
      <Link href="/app/wallet" className="font-medium underline underline-offset-2">
        settings
      </Link>{' '}
      and runs through the bot.
    </Notice>
  );
}
