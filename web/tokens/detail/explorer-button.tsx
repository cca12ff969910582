import { ExternalLink } from 'lucide-react';
import { useId } from 'react';
import type { Token } from '../../../common/tokens/model.ts';
import { Button, type ButtonSize, buttonClass } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { explorerUrl } from '../links.ts';

export const ON_NO_CHAIN = 'This token is simulated. It is on no chain, so no explorer knows it.';

/** Opens the token in the public explorer, on its own cluster; says why it can't for a token that is on no chain. */
export function ExplorerButton({
  token,
  label,
  size = 'md',
}: {
  token: Pick<Token, 'address' | 'metadata'>;
  label: string;
  size?: ButtonSize;
}) {
  const reasonId = useId();
  const url = explorerUrl('address', token.address, token.metadata.cluster);
  const icon = <ExternalLink size={size === 'sm' ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />;
  if (url === null) {
    return (
      <Tooltip content={ON_NO_CHAIN}>
        {/* The button itself takes no pointer while it is disabled; what is around it shows the reason. */}
        <span className="inline-flex" title={ON_NO_CHAIN}>
          <Button disabled size={size} aria-describedby={reasonId}>
            {icon}
            {label}
          </Button>
          <span id={reasonId} className="sr-only">
            {ON_NO_CHAIN}
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
