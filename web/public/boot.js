// Runs before the first paint, and before the app's own code has come.
;(function () {
  const root = document.documentElement
  const kept = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage may be closed to us; then nothing is kept.
      return null
    }
  }

  // A picture of a screen, on another screen of ours (web/help/picture.tsx): it is looked at, and can change nothing. It
  // keeps nothing on this device, tells no other tab, and asks the bank for nothing but to read.
  if (window.frameElement?.hasAttribute('data-picture')) {
    root.dataset.picture = ''
    for (const change of ['setItem', 'removeItem', 'clear']) Storage.prototype[change] = () => {}
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })
    navigator.sendBeacon = () => false
    delete window.XMLHttpRequest
    delete window.BroadcastChannel
    const read = window.fetch
    const methodOf = (input, init) => (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
    window.fetch = async (input, init) =>
      ['GET', 'HEAD'].includes(methodOf(input, init)) ? read(input, init) : Response.json({}, { status: 403 })
  }

  // A theme chosen in Settings, in this tab or another, wins over the system's.
  const THEME = 'alder.theme'
  const showTheme = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
  }
  showTheme(kept(THEME))
  addEventListener('storage', ({ key, newValue }) => {
    if (key === THEME) showTheme(newValue)
  })

  // The screen that came with the page is of another language than the one that was chosen here.
  const language = kept('alder.language')
  if (language !== null && language !== root.lang) delete root.dataset.drawn

  // Somebody has left who could not be signed out yet: their session is ended first, and until then nothing is theirs.
  if (kept('alder.sign-out') !== null) {
    delete root.dataset.drawn
    delete root.dataset.firstRequests
  }

  // Where the app's code does not come, the page is loaded once more by itself, and by hand where that does not help.
  const sayNotLoaded = () => {
    const said = document.getElementById('not-loaded')
    said.hidden = false
    said.querySelector('button').addEventListener('click', () => location.reload(), { once: true })
  }
  const RELOADED = 'alder.reloaded'
  const RELOAD_AGAIN_MS = 60_000
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
      // A picture keeps nothing, so it would not know how often it was tried: its article shows none.
      if ('picture' in root.dataset) return
      try {
        const reloadedAt = Number(sessionStorage.getItem(RELOADED))
        sessionStorage.setItem(RELOADED, String(Date.now()))
        if (navigator.onLine && Date.now() - reloadedAt > RELOAD_AGAIN_MS) {
          location.reload()
          return
        }
      } catch {
        // Nothing can be kept, so nobody would know how often it was tried.
      }
      sayNotLoaded()
    },
    true,
  )
  const LATE_MS = 20_000
  setTimeout(() => {
    if (document.getElementById('root').inert) sayNotLoaded()
  }, LATE_MS)

  // What the first screen will ask is asked meanwhile; the app takes the responses over (web/lib/early.ts).
  const API = '/api/v1'
  const asked = new Map()
  const ask = (method, path, headers) =>
    fetch(API + path, { method, headers, credentials: 'same-origin', signal: AbortSignal.timeout(20_000) })
  const note = (method, path, response) => {
    asked.set(`${method} ${API}${path}`, response)
    // Whoever takes it over sees the failure.
    response.catch(() => {})
  }
  const answered = (response) => (response.ok ? response : Promise.reject(new Error(String(response.status))))
  const get = (path, after) =>
    note('GET', path, after === undefined ? ask('GET', path) : after.then(() => ask('GET', path)))
  const first = root.dataset.firstRequests
  // What its screen begins with: of the one thing that the address names, or unless the address asks for something else.
  const id = new URLSearchParams(location.search).get('id') ?? ''
  const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.\d+)?$/i
  const isAsked = (path) => (path.includes('{id}') ? ID.test(id) : path && location.search === '')
  const firstData = (root.dataset.firstData ?? '')
    .split(' ')
    .filter(isAsked)
    .map((path) => path.replace('{id}', id))
  if (first === 'session') get('/session')
  if (first === 'open') for (const path of ['/me', '/dashboard', ...firstData]) get(path)
  // Only a page that nobody could listen in on has it, and the app needs such a page too.
  if (first === 'visit' && crypto.randomUUID && !('picture' in root.dataset)) {
    const post = () => ask('POST', '/session/visit', { 'idempotency-key': crypto.randomUUID() })
    // One tab after the other: the second finds the session of the first, and is the same customer.
    const visit = navigator.locks ? navigator.locks.request('alder-visit', post) : post()
    note('POST', '/session/visit', visit)
    // A visit answers with the customer it made.
    note(
      'GET',
      '/me',
      visit.then((response) => answered(response.clone())),
    )
    for (const path of ['/dashboard', ...firstData]) get(path, visit.then(answered))
  }
  window.alderAsked = asked
})()
