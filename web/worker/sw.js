/* global BUILD */
// This service worker caches the app for times when the bank is out of reach: the page without customer data (the shell), and
// the code of every screen. web/worker/build.ts adds BUILD before this code: { version, shell, files, onDemand, along }.
// Responses of /api are never cached.

/**
 * The prefix of the caches, one for each version. Files under /assets/ have a digest in their names, so a cached one is never
 * out of date.
 */
const PREFIX = 'alder-app-'
const CACHE = PREFIX + BUILD.version
const ALL_FILES = new Set([...BUILD.files, ...BUILD.onDemand])
/** The number of versions that stay cached, so that open pages of earlier versions still get their code. */
const VERSIONS_KEPT = 3
/** The cache of the customer's data, which the page writes itself, encrypted (web/lib/offline-cache.ts). */
const OF_THE_CUSTOMER = 'alder-kept'
/** A page that takes longer to load is served from the cache. */
const PAGE_TIMEOUT_MS = 5_000

const isHashed = (path) => path.startsWith('/assets/')
const find = (path) => caches.match(path, { ignoreVary: true })

async function cacheFile(path) {
  const cache = await caches.open(CACHE)
  if (await cache.match(path, { ignoreVary: true })) return
  const cachedResponse = isHashed(path) ? await find(path) : undefined
  const response =
    cachedResponse ?? (await fetch(path, { priority: 'low', cache: isHashed(path) ? 'default' : 'no-cache' }))
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  await cache.put(path, response)
}

/** Returns the paths with the files that are cached together with them, such as the help texts of a language. */
const withAlong = (paths) => paths.flatMap((path) => (BUILD.along[path] ? [path, BUILD.along[path]] : [path]))

async function putShell() {
  // Without cookies, so that the shell contains no customer data.
  const response = await fetch(BUILD.shell, {
    cache: 'no-store',
    credentials: 'omit',
    headers: { accept: 'text/html' },
  })
  if (!response.ok || response.redirected) throw new Error(`${BUILD.shell}: ${response.status}`)
  const cache = await caches.open(CACHE)
  await cache.put(BUILD.shell, response)
}

/** Returns the on-demand files, such as a language, that an earlier version had cached. This version caches them too. */
async function usedBefore() {
  const stem = (path) => path.replace(/-[\w-]{8}(\.\w+)$/, '$1')
  const paths = new Set()
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX)) continue
    const cache = await caches.open(name)
    for (const { url } of await cache.keys()) paths.add(stem(new URL(url).pathname))
  }
  return BUILD.onDemand.filter((path) => paths.has(stem(path)))
}

/** Caches the files one by one, so that the open screen has the bandwidth. */
async function install() {
  await putShell()
  for (const path of withAlong([...BUILD.files, ...(await usedBefore())])) await cacheFile(path)
  // This is safe while pages of an earlier version are open, because their files stay cached.
  await self.skipWaiting()
}

async function activate() {
  await self.registration.navigationPreload?.enable()
  const names = (await caches.keys()).filter((name) => name.startsWith('alder-'))
  const versions = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  const stay = new Set([CACHE, OF_THE_CUSTOMER, ...versions.slice(1 - VERSIONS_KEPT)])
  await Promise.all(names.filter((name) => !stay.has(name)).map((name) => caches.delete(name)))
  await self.clients.claim()
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))

function inTime(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too slow')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Returns the page from the server. If the server does not answer in time or is down, returns the shell. */
async function page(event) {
  const network = Promise.resolve(event.preloadResponse).then((response) => response ?? fetch(event.request))
  try {
    const response = await inTime(network, PAGE_TIMEOUT_MS)
    // A status of 502 or higher comes from the proxy of a server that is down.
    return response.status < 502 ? response : ((await find(BUILD.shell)) ?? response)
  } catch {
    return (await find(BUILD.shell)) ?? network
  }
}

async function file(path, event) {
  const cachedResponse = await find(path)
  if (cachedResponse) return cachedResponse
  const response = await fetch(event.request)
  if (response.ok && isHashed(path)) {
    const cache = await caches.open(CACHE)
    await cache.put(path, response.clone())
    const companionFile = BUILD.along[path]
    // The response does not wait for this file. If caching fails, the file is cached on first use.
    if (companionFile) event.waitUntil(cacheFile(companionFile).catch(() => undefined))
  }
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(page(event))
  else if (isHashed(pathname) || BUILD.files.includes(pathname)) event.respondWith(file(pathname, event))
})

self.addEventListener('message', (event) => {
  const { type, files } = event.data
  // The files that the page loaded before this worker started.
  if (type === 'keep') event.waitUntil(Promise.allSettled(withAlong(files.filter(isHashed)).map(cacheFile)))
  if (type === 'is_current') event.ports[0].postMessage(files.every((path) => ALL_FILES.has(path)))
})

/** Shows a push notice. A page that is visible shows the notice itself. */
async function showNotice({ id, title, body, path, language, direction }) {
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  await self.registration.showNotification(title, {
    body,
    // A notice that arrives twice replaces itself.
    tag: id,
    lang: language,
    dir: direction,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path },
  })
}

/** Opens the screen of a notice, in a page that is already open if there is one. */
async function openNotice(path) {
  const { href, origin } = new URL(path, self.location.origin)
  if (origin !== self.location.origin) return
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (!open) return void (await self.clients.openWindow(href))
  await open.focus()
  await open.navigate(href)
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showNotice(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotice(event.notification.data.path))
})

/**
 * Handles a new address of this browser from the push service. The bank gets the address at once if there is a session.
 * Otherwise, the bank gets it when the app is opened the next time (web/notifications/browser-push.ts).
 */
async function moveAddress({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return
  const { userVisibleOnly, applicationServerKey } = oldSubscription.options
  const subscription =
    newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly, applicationServerKey }))
  const { endpoint, keys } = subscription.toJSON()
  await fetch('/api/v1/push/renewal', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({
      endpoint,
      keys: { p256dh: keys.p256dh, auth: keys.auth },
      replaced: oldSubscription.endpoint,
    }),
  })
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(moveAddress(event))
})
