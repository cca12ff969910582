/** The logo: a pulse in a lens. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className="size-6">
      <circle cx="12" cy="12" r="9.75" className="stroke-accent" strokeWidth="2" />
      <path
        d="M5 13.2h2.9l2-5.2 3.4 9 2.2-3.8H19"
        className="stroke-accent"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Logo and name. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold text-lg tracking-tight">
      <Logo />
      Mintwatch
    </span>
  );
}
