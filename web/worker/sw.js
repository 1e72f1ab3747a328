/* global BUILD */
// Keeps the app for when the bank is out of reach: the page without anything of a customer's (the shell), and the code of
// every screen. BUILD is put before this by web/worker/build.ts: { version, shell, files, onDemand,
// along }. Nothing of /api is kept.

/** One cache for each version. Files under /assets/ have a digest in their names, so a kept one is never out of date. */
const PREFIX = 'alder-app-'
const CACHE = PREFIX + BUILD.version
const ALL = new Set([...BUILD.files, ...BUILD.onDemand])
/** Pages that were opened before the last new versions still get their code. */
const VERSIONS_KEPT = 3
/** What the page keeps of the customer by itself, encrypted (web/lib/kept.ts). */
const OF_THE_CUSTOMER = 'alder-kept'
/** A page that is not here by then comes from the cache. */
const PAGE_TIMEOUT_MS = 5_000

const isHashed = (path) => path.startsWith('/assets/')
const find = (path) => caches.match(path, { ignoreVary: true })

async function put(path) {
  const cache = await caches.open(CACHE)
  if (await cache.match(path, { ignoreVary: true })) return
  const kept = isHashed(path) ? await find(path) : undefined
  const response = kept ?? (await fetch(path, { priority: 'low', cache: isHashed(path) ? 'default' : 'no-cache' }))
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  await cache.put(path, response)
}

/** With what is kept along with them: the help center's part of a language, with the language. */
const withAlong = (paths) => paths.flatMap((path) => (BUILD.along[path] ? [path, BUILD.along[path]] : [path]))

async function putShell() {
  // Without cookies: nothing of a customer's may be in it.
  const response = await fetch(BUILD.shell, {
    cache: 'no-store',
    credentials: 'omit',
    headers: { accept: 'text/html' },
  })
  if (!response.ok || response.redirected) throw new Error(`${BUILD.shell}: ${response.status}`)
  const cache = await caches.open(CACHE)
  await cache.put(BUILD.shell, response)
}

/** What is fetched when it is used: a language, say. Whatever an earlier version was used with, this one has too. */
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

/** One after the other, so that the screen that is open has the line to itself. */
async function install() {
  await putShell()
  for (const path of withAlong([...BUILD.files, ...(await usedBefore())])) await put(path)
  // Safe while pages of an earlier version are open, because their files stay.
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

/** The page as the bank sends it, or else the shell. */
async function page(event) {
  const network = Promise.resolve(event.preloadResponse).then((response) => response ?? fetch(event.request))
  try {
    const response = await inTime(network, PAGE_TIMEOUT_MS)
    // A bank that is down has somebody before it who says so.
    return response.status < 502 ? response : ((await find(BUILD.shell)) ?? response)
  } catch {
    return (await find(BUILD.shell)) ?? network
  }
}

async function file(path, event) {
  const kept = await find(path)
  if (kept) return kept
  const response = await fetch(event.request)
  if (response.ok && isHashed(path)) {
    const cache = await caches.open(CACHE)
    await cache.put(path, response.clone())
    const along = BUILD.along[path]
    // Nobody waits for it. Where it does not come, it is fetched when it is used.
    if (along) event.waitUntil(put(along).catch(() => undefined))
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
  // What a page was opened with before this worker was there.
  if (type === 'keep') event.waitUntil(Promise.allSettled(withAlong(files.filter(isHashed)).map(put)))
  if (type === 'is_current') event.ports[0].postMessage(files.every((path) => ALL.has(path)))
})

/** Something that the bank has told its customer. Who looks at the app is told there. */
async function showNotice({ id, title, body, path, language, direction }) {
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  await self.registration.showNotification(title, {
    body,
    // One that comes twice takes its own place.
    tag: id,
    lang: language,
    dir: direction,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path },
  })
}

/** Opens what a notice is about, in a page that is open already where there is one. */
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
 * The push service gives this browser another address. The bank is told at once where there is a session to tell it in, and
 * else when the app is opened the next time (web/notifications/browser-push.ts).
 */
async function moveAddress({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return
  const { userVisibleOnly, applicationServerKey } = oldSubscription.options
  const made =
    newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly, applicationServerKey }))
  const { endpoint, keys } = made.toJSON()
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
