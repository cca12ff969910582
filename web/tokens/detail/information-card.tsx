import type { Stage, TokenDetail } from '../../../common/tokens/model.ts';
import { clockOffsetAtom } from '../../live/atoms/clock.ts';
import { Age } from '../../live/hooks/age.tsx';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { Card } from '../../ui/card.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { compact, MISSING, share, utcTime } from '../../ui/format.ts';
import { Bar } from '../cells.tsx';
import { cleanText } from '../text.ts';
import { Fact, Facts } from './fact.tsx';

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

/** Shows the latency of a token from the chain to this screen, step by step. */
function Latency({ token }: { token: TokenDetail }) {
  const live = useLiveMarket();
  const offset = useAtomValue(clockOffsetAtom);
  const seen = live.writer.paintedAt(token.address);
  const { created, received, stored, published } = token.times;
  const steps = [
    { name: 'Created', at: created, hint: 'on chain' },
    // Block times are whole seconds.
    { name: 'Received', at: received, hint: created === null ? 'by this server' : 'by this server, exact to ±1 s' },
    { name: 'Stored', at: stored, hint: 'acknowledged by the database' },
    { name: 'Published', at: published, hint: 'to the live feed' },
    {
      name: 'Painted',
      // Backfilled history is painted long after it happened: that is not latency.
      at: seen === null || published === null ? null : seen + offset,
      hint: seen === null ? 'measured for tokens that arrive while a list is open' : 'on this screen',
    },
  ];
  return (
    <section aria-label="Latency" className="mt-2 border-line border-t pt-3">
      <h3 className="text-muted text-xs">From chain to screen</h3>
      <ol className="mt-2 grid grid-cols-5 gap-1">
        {steps.map(({ name, at, hint }, index) => (
          <li key={name} title={`${name} ${hint}${at === null ? '' : `: ${utcTime(at)}`}`} className="min-w-0">
            <span aria-hidden="true" className="mb-1.5 flex items-center">
              <span className={`size-1.5 shrink-0 rounded-full ${at === null ? 'bg-line-strong' : 'bg-accent'}`} />
              {index < steps.length - 1 && <span className="h-px flex-1 bg-line-strong" />}
            </span>
            <span className="block truncate text-2xs text-muted">{name}</span>
            <span className="block truncate text-xs tabular-nums">
              {index === 0 ? (at === null ? MISSING : '0 ms') : sinceBefore(steps.slice(0, index), at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns the time since the latest known earlier step, e.g. `+120 ms`. */
function sinceBefore(before: readonly { at: number | null }[], at: number | null): string {
  const last = before.findLast((step) => step.at !== null)?.at ?? null;
  if (at === null || last === null) return MISSING;
  // Chain times are whole seconds, so a step may seem to precede its cause.
  const passed = Math.max(0, at - last);
  return passed < 10_000 ? `+${Math.round(passed)} ms` : `+${Math.round(passed / 1_000)} s`;
}
