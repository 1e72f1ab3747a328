// Runs before the first paint: a theme chosen in Settings wins over the system's.
;(function () {
  try {
    const chosen = localStorage.getItem('alder.theme')
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
  } catch {
    // Storage may be closed to us; the system's theme then stands.
  }
})()
