import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { chainExplorerUrl } from '../../chain/config.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { Notice } from '../../ui/notice.tsx';
import { isSent, type TransferState } from './transfer-state.ts';

/** The progress of the pending transfer, or the error of the last one. Renders nothing without one. */
export function TransferStatus(props: { state: TransferState; config: ChainConfig; onForget: () => void }) {
  const { state, config, onForget } = props;
  const [confirming, setConfirming] = useState(false);
  if (state.phase === 'failed') return <Notice tone="danger">{state.message}</Notice>;
  if (!isSent(state)) return null;
  const { signature } = state.sent;
  const explorer = chainExplorerUrl('tx', signature, config);
  return (
    <div aria-live="polite" className="flex flex-col gap-2">
      <Progress state={state} onForget={() => setConfirming(true)} />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
        <span>
          Signature <CopyAddress address={signature} label="signature" />
        </span>
        {explorer !== null && (
          <a
            href={explorer}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 underline underline-offset-2 hover:text-text"
          >
            Explorer
            <ExternalLink size={12} strokeWidth={1.75} aria-hidden="true" />
          </a>
        )}
      </p>
      <Confirm
        open={confirming}
        title="Stop following this transfer?"
        verb="Stop following"
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          onForget();
        }}
      >
        <p>
          The network may still confirm it, for about a minute after it was signed. Before you send it again, look it up
          by its signature, or watch your balance.
        </p>
      </Confirm>
    </div>
  );
}

function Progress({ state, onForget }: { state: TransferState; onForget: () => void }) {
  switch (state.phase) {
    case 'sending':
      return <Notice tone="info">Signed, and on its way to the network.</Notice>;
    case 'following':
      return <Notice tone="info">Sent. Waiting for the network to confirm it.</Notice>;
    case 'unknown':
      return (
        <Notice
          tone="warning"
          action={
            <Button size="sm" onClick={onForget}>
              Stop following
            </Button>
          }
        >
          We don't know yet whether the network received it. Don't send it again: this page follows it until it is
          confirmed or has expired. {state.why}
        </Notice>
      );
    case 'idle':
    case 'confirming':
    case 'signing':
    case 'done':
    case 'failed':
      return null;
  }
}
