/** Colors of the page's theme, as a canvas takes them. */
export interface ChartColors {
  text: string;
  muted: string;
  line: string;
  surface: string;
  raised: string;
  accent: string;
  up: string;
  down: string;
  /** Fainter, for volume. */
  upBar: string;
  downBar: string;
  warning: string;
}

/** Returns the colors at an element. */
export function readColors(box: HTMLElement): ChartColors {
  const style = getComputedStyle(box);
  const of = (name: string) => style.getPropertyValue(`--color-${name}`).trim() || '#808080';
  const [up, down] = [of('up'), of('down')];
  return {
    text: of('text'),
    muted: of('muted'),
    line: of('line'),
    surface: of('surface'),
    raised: of('raised'),
    accent: of('accent'),
    up,
    down,
    upBar: faint(up),
    downBar: faint(down),
    warning: of('risk-medium'),
  };
}

/** Calls `paint` after each change of the theme. Returns the function that ends it. */
export function watchTheme(paint: () => void): () => void {
  const observer = new MutationObserver(paint);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** Returns a color `#rrggbb` at 70 %. */
function faint(color: string): string {
  return color.length === 7 ? `${color}b3` : color;
}
