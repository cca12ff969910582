// Sets the theme before the first paint. Same key and rule as web/layout/theme.ts; a test compares them.
(() => {
  let choice = 'dark';
  try {
    choice = localStorage.getItem('ui-theme') ?? 'dark';
  } catch {
    // Storage may be disabled: the default theme applies.
  }
  const light = choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
