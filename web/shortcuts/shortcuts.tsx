import { lazy, Suspense, useState } from 'react';
import { type ShortcutDialog, useShortcuts } from './use-shortcuts.ts';

const KeySheet = lazy(() => import('./key-sheet.tsx'));
const Palette = lazy(() => import('./palette.tsx'));

/** The keys of all signed-in pages, and the dialogs that they open. */
export function Shortcuts() {
  const [dialog, setDialog] = useState<ShortcutDialog | null>(null);
  const close = () => setDialog(null);
  useShortcuts(setDialog);
  return (
    <Suspense fallback={null}>
      {dialog === 'help' && <KeySheet onClose={close} />}
      {dialog === 'palette' && <Palette onClose={close} onHelp={() => setDialog('help')} />}
    </Suspense>
  );
}
