import { ListPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TokenDetail } from '../../../common/tokens/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import { useUserId } from '../../auth/session.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { WalletWarning } from '../../trading/panel/wallet-warning.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { listLabels, useChangeList } from '../../watchlists/change-list.tsx';
import { listLooks } from '../../watchlists/list-looks.tsx';
import { useMarks } from '../../watchlists/lists.ts';
import { ON_NO_CHAIN } from '../links.ts';
import { ExplorerButton } from './explorer-button.tsx';

/** Shows the actions for a token. */
export function ActionsTab({ token }: { token: TokenDetail }) {
  return (
    <div className="flex flex-col gap-3">
      <WalletNeeded />
      <Card>
        <div className="-my-4 divide-y divide-line">
          <ListActions address={token.address} />
          <Action title="Auto-buy rule" text="Starts a new rule with the liquidity and the risk of this token.">
            <ButtonLink href={`/app/auto-buy?from=${encodeURIComponent(token.address)}`}>
              <ListPlus size={16} strokeWidth={1.75} aria-hidden="true" />
              Create Auto-Buy Rule
            </ButtonLink>
          </Action>
          <Action
            title="Public explorer"
            text={
              token.metadata.cluster === null
                ? ON_NO_CHAIN
                : 'Every account and transaction of this token on the chain.'
            }
          >
            <ExplorerButton token={token} label="View on explorer" />
          </Action>
        </div>
      </Card>
    </div>
  );
}

/** The warning of the specification, unless the user is known to have a wallet. */
function WalletNeeded() {
  const userId = useUserId();
  const { data: wallet } = useUserQuery(walletCalls.get, { params: { userId: userId ?? '' } });
  if (userId === null) return null;
  return wallet === undefined || wallet.walletAddress === null ? <WalletWarning /> : null;
}

function ListActions({ address }: { address: string }) {
  const marks = useMarks(address);
  const change = useChangeList();
  return listLooks.map(({ list, icon: Icon, hint }) => {
    const on = marks?.[list] === true;
    return (
      <Action key={list} title={listLabels[list]} text={hint}>
        <Button disabled={marks === null} onClick={() => change({ list, address, on: !on })}>
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={on ? 'text-accent' : undefined} />
          {on ? 'Remove from' : 'Add to'} {listLabels[list]}
        </Button>
      </Action>
    );
  });
}

function Action({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium text-base">{title}</p>
        <p className="mt-0.5 text-muted text-sm">{text}</p>
      </div>
      {children}
    </div>
  );
}
