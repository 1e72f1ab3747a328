// Runs before the first paint and before the app's code has loaded.
;(function () {
  const root = document.documentElement
  const readStored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage may be unavailable. Nothing is stored then.
      return null
    }
  }

  // This page may be a picture within another page of the app (web/help/live-picture.tsx). A picture accepts no input and
  // changes nothing: it stores nothing on the device, sends nothing to other tabs, and only reads from the bank.
  if (window.frameElement?.hasAttribute('data-picture')) {
    root.dataset.picture = ''
    for (const change of ['setItem', 'removeItem', 'clear']) Storage.prototype[change] = () => {}
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })
    navigator.sendBeacon = () => false
    delete window.XMLHttpRequest
    delete window.BroadcastChannel
    const originalFetch = window.fetch
    const methodOf = (input, init) => (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
    window.fetch = async (input, init) =>
      ['GET', 'HEAD'].includes(methodOf(input, init)) ? originalFetch(input, init) : Response.json({}, { status: 403 })
  }

  // A theme chosen in Settings, in any tab, takes precedence over the system's theme.
  const THEME = 'alder.theme'
  const showTheme = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
  }
  showTheme(readStored(THEME))
  addEventListener('storage', ({ key, newValue }) => {
    if (key === THEME) showTheme(newValue)
  })

  // The prerendered screen is not used if its language differs from the language chosen on this device.
  const language = readStored('alder.language')
  if (language !== null && language !== root.lang) delete root.dataset.drawn

  // A sign-out that could not reach the bank must complete first. Until then, nothing of that customer is shown.
  if (readStored('alder.sign-out') !== null) {
    delete root.dataset.drawn
    delete root.dataset.firstRequests
  }

  // If the app's code fails to load, the page reloads once. After that it shows a button to reload.
  const sayNotLoaded = () => {
    const notice = document.getElementById('not-loaded')
    notice.hidden = false
    notice.querySelector('button').addEventListener('click', () => location.reload(), { once: true })
  }
  const RELOADED = 'alder.reloaded'
  const RELOAD_AGAIN_MS = 60_000
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
      // A picture stores nothing, so it cannot count its reloads. If its code does not load, the help article shows no picture.
      if ('picture' in root.dataset) return
      try {
        const reloadedAt = Number(sessionStorage.getItem(RELOADED))
        sessionStorage.setItem(RELOADED, String(Date.now()))
        if (navigator.onLine && Date.now() - reloadedAt > RELOAD_AGAIN_MS) {
          location.reload()
          return
        }
      } catch {
        // Without storage, reloads cannot be counted, so the page does not reload by itself.
      }
      sayNotLoaded()
    },
    true,
  )
  const LATE_MS = 20_000
  setTimeout(() => {
    if (document.getElementById('root').inert) sayNotLoaded()
  }, LATE_MS)

  // Sends the first screen's requests early. The app takes over the responses (web/lib/prefetched.ts).
  const API = '/api/v1'
  const requests = new Map()
  const sendRequest = (method, path, headers) =>
    fetch(API + path, { method, headers, credentials: 'same-origin', signal: AbortSignal.timeout(20_000) })
  const note = (method, path, response) => {
    requests.set(`${method} ${API}${path}`, response)
    // The code that takes over the response handles the failure.
    response.catch(() => {})
  }
  const requireSuccess = (response) => (response.ok ? response : Promise.reject(new Error(String(response.status))))
  const get = (path, earlierResponse) =>
    note(
      'GET',
      path,
      earlierResponse === undefined ? sendRequest('GET', path) : earlierResponse.then(() => sendRequest('GET', path)),
    )
  const first = root.dataset.firstRequests
  // The data of the first screen. A path with `{id}` needs an id in the address. Other paths need an address without a query
  // string.
  const id = new URLSearchParams(location.search).get('id') ?? ''
  const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.\d+)?$/i
  const isAsked = (path) => (path.includes('{id}') ? ID.test(id) : path && location.search === '')
  const firstData = (root.dataset.firstData ?? '')
    .split(' ')
    .filter(isAsked)
    .map((path) => path.replace('{id}', id))
  if (first === 'session') get('/session')
  if (first === 'open') for (const path of ['/me', '/dashboard', ...firstData]) get(path)
  // Browsers provide `crypto.randomUUID` only to secure pages, and the app also requires a secure page.
  if (first === 'visit' && crypto.randomUUID && !('picture' in root.dataset)) {
    const post = () => sendRequest('POST', '/session/visit', { 'idempotency-key': crypto.randomUUID() })
    // The lock lets one tab start at a time. The second tab finds the session of the first and has the same customer.
    const visit = navigator.locks ? navigator.locks.request('alder-visit', post) : post()
    note('POST', '/session/visit', visit)
    // The response to a visit contains the new customer.
    note(
      'GET',
      '/me',
      visit.then((response) => requireSuccess(response.clone())),
    )
    for (const path of ['/dashboard', ...firstData]) get(path, visit.then(requireSuccess))
  }
  window.alderAsked = requests
})()
