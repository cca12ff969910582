import { ExternalLink } from 'lucide-react';
import { useId } from 'react';
import { solscanUrl } from '../../../common/client-config/explorer.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { useExplorerUrl } from '../../chain/config.ts';
import { Button, type ButtonSize, buttonClass } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { ON_NO_CHAIN } from '../links.ts';

/** Only the configured cluster has a node URL for the link. */
const UNKNOWN_CHAIN = 'This token is on a local chain that is not configured here.';

/**
 * Opens the token in the public explorer, on its own cluster; disabled with a reason for a token on no chain. `solscan`: a
 * token of mainnet opens on Solscan, which has no other cluster.
 */
export function ExplorerButton(props: {
  token: Pick<Token, 'address' | 'metadata'>;
  label: string;
  size?: ButtonSize;
  solscan?: boolean;
}) {
  const { token, label, size = 'md', solscan = false } = props;
  const reasonId = useId();
  const explorer = useExplorerUrl('address', token.address, token.metadata.cluster);
  const url = solscan && token.metadata.cluster === 'mainnet' ? solscanUrl(token.address) : explorer;
  const icon = <ExternalLink size={size === 'sm' ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />;
  if (url === null) {
    const reason = token.metadata.cluster === null ? ON_NO_CHAIN : UNKNOWN_CHAIN;
    return (
      <Tooltip content={reason}>
        {/* A disabled button gets no pointer events; the element around it shows the reason. */}
        <span className="inline-flex" title={reason}>
          <Button disabled size={size} aria-describedby={reasonId}>
            {icon}
            {label}
          </Button>
          <span id={reasonId} className="sr-only">
            {reason}
          </span>
        </span>
      </Tooltip>
    );
  }
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass('secondary', size)}>
      {icon}
      {label}
    </a>
  );
}
