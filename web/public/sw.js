// Keeps the shell of the app for when there is no network. The network always comes first for pages; files under
// /assets/ carry a hash of their content in the name, so a kept one is never out of date. Nothing of /api is kept.
const SHELL = 'alder-shell'
const KEPT_FILES = 120

self.addEventListener('install', (event) => {
  // The bank answers with the page only where one is asked for.
  const shell = new Request('/', { headers: { accept: 'text/html' } })
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll([shell, '/boot.js', '/icon.svg'])))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

async function page(request) {
  const cache = await caches.open(SHELL)
  try {
    const answer = await fetch(request)
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    if (answer.ok && isPage) await cache.put('/', answer.clone())
    return answer
  } catch (error) {
    const kept = await cache.match('/')
    if (kept) return kept
    throw error
  }
}

async function file(request) {
  const cache = await caches.open(SHELL)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    await cache.put(request, answer.clone())
    const keys = (await cache.keys()).filter((key) => new URL(key.url).pathname.startsWith('/assets/'))
    await Promise.all(keys.slice(0, Math.max(0, keys.length - KEPT_FILES)).map((key) => cache.delete(key)))
  }
  return answer
}

async function networkFirst(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(request)
    if (kept) return kept
    throw error
  }
}

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname.startsWith('/api/')) return
  if (event.request.mode === 'navigate') event.respondWith(page(event.request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(file(event.request))
  else if (url.pathname === '/boot.js' || url.pathname === '/icon.svg') event.respondWith(networkFirst(event.request))
})
