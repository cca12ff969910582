// Sets the theme before the first paint. Same key and rule as web/layout/theme.ts, which a test holds this file to.
(() => {
  let choice = 'dark';
  try {
    choice = localStorage.getItem('ui-theme') ?? 'dark';
  } catch {
    // Storage may be forbidden: then the default theme it is.
  }
  const light = choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
