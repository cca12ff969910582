import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { copyToClipboard } from '../../ui/clipboard.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CopyLine } from '../copy-line.tsx';
import type { UnsavedWallet } from './use-new-wallet.ts';

/** A new wallet that the server has not stored. This page holds the only copy of its key until it is stored or discarded. */
export function UnsavedCard(props: {
  unsaved: UnsavedWallet;
  busy: boolean;
  /** Null without a session, when it can't be stored. */
  onRetry: (() => void) | null;
  onDiscard: () => void;
}) {
  const {
    unsaved: { key, problem },
    busy,
    onRetry,
    onDiscard,
  } = props;
  const [discarding, setDiscarding] = useState(false);
  const leaving = useLeaving();
  return (
    <Card title="Your new wallet is not stored yet">
      <div className="flex flex-col gap-3">
        <Notice tone="danger">
          {problem} The private key exists on this page only: copy it to a safe place, or try again before you leave.
        </Notice>
        <CopyLine
          label="Public address"
          text={key.walletAddress}
          onCopy={() => void copyToClipboard(key.walletAddress, 'Public address')}
        />
        <CopyLine label="Private key" text={null} onCopy={() => void copyToClipboard(key.privateKey, 'Private key')} />
        <div className="flex flex-wrap gap-2">
          {onRetry !== null && (
            <Button variant="primary" busy={busy} onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button disabled={busy} onClick={() => setDiscarding(true)}>
            Discard
          </Button>
        </div>
      </div>
      <Confirm
        open={discarding || leaving.to !== null}
        title={leaving.to === null ? 'Discard the new wallet?' : 'Leave without storing the new wallet?'}
        verb={leaving.to === null ? 'Discard wallet' : 'Leave and discard'}
        onCancel={() => {
          setDiscarding(false);
          leaving.stay();
        }}
        onConfirm={() => {
          onDiscard();
          leaving.go();
        }}
      >
        <p>This is the only copy of its private key. Without it, the wallet can never be used.</p>
      </Confirm>
    </Card>
  );
}

/** Intercepts links and closing the tab. `to`: the address of the intercepted link; null without one. */
function useLeaving() {
  const [to, setTo] = useState<string | null>(null);
  const [, navigate] = useLocation();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const href = link?.getAttribute('href');
      // A link that opens in another tab keeps this page.
      if (!href?.startsWith('/') || link?.getAttribute('target') === '_blank') return;
      event.preventDefault();
      event.stopPropagation();
      setTo(href);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
  return {
    to,
    stay: () => setTo(null),
    go: () => {
      if (to !== null) navigate(to);
    },
  };
}
