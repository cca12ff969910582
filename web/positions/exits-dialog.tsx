import type { Exits } from '../../common/trading/account.ts';
import type { Position } from '../../common/trading/position.ts';
import { useMutation } from '../http/use-mutation.ts';
import { useStore } from '../store.ts';
import { ExitsDialog } from '../trading/exits-dialog.tsx';
import { symbolOfToken } from '../trading/format.ts';
import { ModeBadge } from '../trading/mode-badge.tsx';
import { changeExits } from '../trading/state/changes.ts';
import { price } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';

/** Sets the exits of an open position. */
export function PositionExitsDialog({ position, onClose }: { position: Position; onClose: () => void }) {
  const store = useStore();
  const { pending, run } = useMutation(async (exits: Exits) => {
    await changeExits(store, position.id, exits);
    toast({ title: 'Exits Saved', description: `The exits of ${symbolOfToken(position.token)} have been saved.` });
    onClose();
  });
  return (
    <ExitsDialog
      onClose={onClose}
      busy={pending}
      title={`Exits of ${symbolOfToken(position.token)}`}
      description={`Percents compare with the average price paid, ${price(position.entryPrice)} SOL, without fees. Empty: none.`}
      verb="Save Exits"
      exits={position.exits}
      onSubmit={run}
    >
      <ModeBadge mode={position.mode} />
      {position.stepsDone.length > 0 && (
        <p className="text-muted text-sm">
          Sold in steps so far: {position.stepsDone.map((rise) => `+${rise} %`).join(', ')}.
        </p>
      )}
    </ExitsDialog>
  );
}
