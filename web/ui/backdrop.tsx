/** A faint grid behind the pages outside the app; decoration only. */
export function Backdrop() {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 -z-10 bg-[size:48px_48px] bg-[image:linear-gradient(var(--color-line)_1px,transparent_1px),linear-gradient(90deg,var(--color-line)_1px,transparent_1px)] opacity-60 [mask-image:radial-gradient(ellipse_at_center,black,transparent_75%)]"
    />
  );
}
