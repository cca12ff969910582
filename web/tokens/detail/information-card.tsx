import type { Stage, TokenDetail } from '../../../common/tokens/model.ts';
import { Age } from '../../live/hooks/age.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { compact, MISSING, share, utcTime } from '../../ui/format.ts';
import { Bar } from '../cells.tsx';
import { cleanText } from '../text.ts';
import { Fact, Facts } from './fact.tsx';
import { Latency } from './latency.tsx';

const stages: Record<Stage, string> = {
  curve: 'On its bonding curve',
  complete: 'Curve complete, moving to a pool',
  pool: 'In a pool',
};

/** Shows the data of a token that rarely changes. */
export function InformationCard({ token }: { token: TokenDetail }) {
  return (
    <Card title="Token Information">
      <Facts>
        <Fact
          label="Address"
          below={<CopyAddress address={token.address} label="token address" full className="mt-1 text-2xs text-text" />}
        />
        <Fact label="Creator">
          <CopyAddress address={token.creatorAddress} label="creator address" />
        </Fact>
        {token.creationSigner !== null && token.creationSigner !== token.creatorAddress && (
          <Fact label="Signed by">
            <CopyAddress address={token.creationSigner} label="address of the signer" />
          </Fact>
        )}
        <Fact label="Total supply">
          <span title={exactSupply(token)}>{supplyOf(token)}</span>
        </Fact>
        <Fact label="Decimals">{token.decimals ?? MISSING}</Fact>
        <Fact label="Created">
          <Moment at={token.createdAt} />
        </Fact>
        <Fact label="Detected">
          <Moment at={token.detectedAt} />
        </Fact>
        <Fact
          label="Stage"
          below={token.curveProgress !== null && <Bar share={token.curveProgress} className="mt-1.5" />}
        >
          {stages[token.stage]}
          {token.curveProgress !== null && `, ${share(token.curveProgress)} sold`}
        </Fact>
        <Fact label="Mint authority">
          <Authority state={token.mintAuthority} danger="Live: more can be minted" />
        </Fact>
        <Fact label="Freeze authority">
          <Authority state={token.freezeAuthority} danger="Live: wallets can be frozen" />
        </Fact>
        <Fact label="Metadata file">
          {/* Written by a stranger: shown as text, never fetched or linked. */}
          <bdi className="line-clamp-2 break-all text-muted text-xs">
            {token.metadata.uri === null ? MISSING : cleanText(token.metadata.uri)}
          </bdi>
        </Fact>
      </Facts>
      <Latency token={token} />
    </Card>
  );
}

function Moment({ at }: { at: string | null }) {
  if (at === null) return MISSING;
  return (
    <>
      <Age at={at} /> ago <span className="text-muted text-xs max-sm:hidden">{utcTime(at)}</span>
    </>
  );
}

function Authority({ state, danger }: { state: 'live' | 'revoked' | null; danger: string }) {
  if (state === null) return <span className="text-muted">Unknown</span>;
  return state === 'revoked' ? <span>Revoked</span> : <span className="text-risk-high">{danger}</span>;
}

/** Returns the supply in whole tokens, short. */
function supplyOf({ totalSupply, decimals }: TokenDetail): string {
  if (totalSupply === null || decimals === null) return MISSING;
  return compact(Number(BigInt(totalSupply) / 10n ** BigInt(decimals)));
}

/** Returns the supply with every digit, for the tooltip: it may exceed a double. */
function exactSupply({ totalSupply, decimals }: TokenDetail): string {
  if (totalSupply === null || decimals === null) return 'The supply is not known.';
  return `${(BigInt(totalSupply) / 10n ** BigInt(decimals)).toLocaleString('en-US')} tokens`;
}
