import { useLocation } from 'wouter';
import { useSetAtom } from '../../store.ts';
import { Choice } from '../../ui/choice.tsx';
import { type View, viewAtom } from './board-state.ts';

const views: readonly { value: View; label: string }[] = [
  { value: 'list', label: 'List' },
  { value: 'board', label: 'Board' },
];

/** Switches between one list and the board, which has no choices of its own in the address. */
export function ViewSwitch({ view }: { view: View }) {
  const setView = useSetAtom(viewAtom);
  const [, navigate] = useLocation();
  return (
    <Choice
      options={views}
      value={view}
      onChange={(chosen) => {
        setView(chosen);
        if (chosen === 'board') navigate('/app/tokens');
      }}
    />
  );
}
