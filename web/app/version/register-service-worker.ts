import { createElement } from 'react'
import { offerNewVersion } from '#web/app/version/new-version.tsx'
import { UpdateBar } from '#web/app/version/update-bar.tsx'

/**
 * The shortest interval between two checks of an open page for a new worker. The page checks when it becomes visible. Browsers
 * check when a page is opened.
 */
const LOOK_EVERY_MS = 30 * 60_000

const pathOf = (url: string): string => new URL(url).pathname

/** Returns the scripts and styles of the document, which identify its version. */
const filesOfThisPage = (): string[] =>
  [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[type=module][src], link[rel=stylesheet]')]
    .map((element) => pathOf('src' in element ? element.src : element.href))
    .filter((path) => path.startsWith('/assets/'))

/** Makes the worker cache the files that were loaded before it started, such as the language and the fonts. */
function keepWhatWasUsed(worker: ServiceWorker): void {
  const files = performance.getEntriesByType('resource').map(({ name }) => pathOf(name))
  // A worker always has the same origin; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage({ type: 'keep', files })
}

/** Offers the worker's version if this page has another one. */
function compare(worker: ServiceWorker, files: string[]): void {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', ({ data }: MessageEvent<boolean>) => {
    if (data) keepWhatWasUsed(worker)
    else offerNewVersion(createElement(UpdateBar))
    port1.close()
  })
  port1.start()
  worker.postMessage({ type: 'is_current', files }, [port2])
}

/** Registers the worker, which caches the app for times when the bank is out of reach, and offers its new versions. */
export async function startWorker(): Promise<void> {
  const { serviceWorker } = navigator
  const files = filesOfThisPage()
  const check = (): void => {
    if (serviceWorker.controller) compare(serviceWorker.controller, files)
  }
  serviceWorker.addEventListener('controllerchange', check)
  check()
  const registration = await serviceWorker.register('/sw.js')
  let lookedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || Date.now() - lookedAt < LOOK_EVERY_MS) return
    lookedAt = Date.now()
    registration.update().catch(() => {})
  })
}
