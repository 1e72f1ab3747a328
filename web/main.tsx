import { StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { startSavingRequests, startOfflineCache, restoreWhenOffline } from '#web/app/offline/start.ts'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { finishDeferredSignOut } from '#web/lib/deferred-sign-out.ts'
import { detectLanguage, activateLanguage } from '#web/i18n/language.ts'
import { watchConnection } from '#web/lib/connection.ts'
import { isEmbeddedPreview } from '#web/lib/embedded-preview.ts'
import '@fontsource-variable/inter/wght.css'
import '#web/styles.css'

/**
 * The delay of background work after the page's load event, in milliseconds. That work downloads the other screens and caches
 * data.
 */
const BACKGROUND_AFTER_MS = 3_000

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/**
 * Resolves when the router has its first screen. That screen replaces the prerendered one (vite/prerender.ts), without an empty
 * page between.
 */
const firstScreen = new Promise<void>((resolve) => {
  if (router.state.initialized) return resolve()
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    resolve()
  })
})

/** If a language's texts fail to load, English is used, which is always available. */
const languageReady = activateLanguage(detectLanguage()).catch(() => activateLanguage('en'))

/** Loads the browser's locale data on another thread, so that the first amount and the first date do not block the page. */
void new Worker(new URL('./i18n/intl-worker.ts', import.meta.url), { type: 'module' })

/** The server adds `data-drawn` to a page that contains a prerendered screen (server/bank/web-app/page.ts). */
const isPrerendered = document.documentElement.dataset['drawn'] !== undefined

/** Marks the page as usable once the app has replaced the prerendered screen. */
function UsableMark() {
  useLayoutEffect(() => {
    root?.removeAttribute('inert')
    root?.removeAttribute('aria-busy')
    document.getElementById('not-loaded')?.remove()
  }, [])
  return null
}

watchConnection()
// If the page was reloaded while a sheet was open, Back must skip the sheet's history entry. The imported module does this.
if ('sheets' in { ...(history.state as object | null) }) import('#web/lib/sheet-entries.ts').catch(() => {})
startSavingRequests(queries)
void Promise.all([
  languageReady,
  restoreWhenOffline(queries),
  finishDeferredSignOut(),
  isPrerendered && firstScreen,
]).then(() => {
  const app = createRoot(root)
  // A transition renders in slices, so that the page can be scrolled meanwhile. It is inert until all of it is rendered.
  startTransition(() =>
    app.render(
      <StrictMode>
        <UsableMark />
        <App />
      </StrictMode>,
    ),
  )
  // `data-opening` in index.html keeps the first screen from being animated. It is removed when the first navigation starts.
  const stop = router.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') return
    stop()
    delete document.documentElement.dataset['opening']
  })
})

function startInBackground(): void {
  if (isEmbeddedPreview()) return
  setTimeout(() => {
    startOfflineCache(queries)
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    // Only offline use needs the service worker, so a failure is ignored.
    import('#web/app/version/register-service-worker.ts').then(({ startWorker }) => startWorker()).catch(() => {})
  }, BACKGROUND_AFTER_MS)
}

if (document.readyState === 'complete') startInBackground()
else window.addEventListener('load', startInBackground, { once: true })
