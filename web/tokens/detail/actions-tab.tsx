import type { TokenDetail } from '../../../common/tokens/model.ts';
import { Card } from '../../ui/card.tsx';
import { ExplorerButton, ON_NO_CHAIN } from './explorer-button.tsx';

/** What can be done with the token from here. */
export function ActionsTab({ token }: { token: TokenDetail }) {
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium text-base">Public explorer</p>
          <p className="mt-0.5 text-muted text-sm">
            {token.metadata.cluster === null
              ? ON_NO_CHAIN
              : 'Every account and transaction of this token, as the chain has them.'}
          </p>
        </div>
        <ExplorerButton token={token} label="View on explorer" />
      </div>
    </Card>
  );
}
