import { ShownOnce } from './shown-once.tsx';

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <ShownOnce
      title="Recovery codes"
      description="Each code replaces one code of your app, once. Keep them where you keep your passwords: they are not shown again."
      secret={codes.join('\n')}
      name="Recovery codes"
      copyLabel="Copy codes"
      closeLabel="I have saved them"
      onClose={onClose}
    >
      <ul aria-label="Recovery codes" className="grid gap-x-4 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
    </ShownOnce>
  );
}
