import { StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { keepRequests, keepShown, restoreWhereOutOfReach } from '#web/app/kept/start.ts'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { finishSignOut } from '#web/lib/late-sign-out.ts'
import { firstLanguage, speak } from '#web/i18n/language.ts'
import { watchLine } from '#web/lib/line.ts'
import { isPicture } from '#web/lib/picture.ts'
import '@fontsource-variable/inter/wght.css'
import '#web/styles.css'

/** How long after the page is there begins what nobody waits for: the other screens' code is fetched, and data is kept. */
const BACKGROUND_AFTER_MS = 3_000

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** The first screen takes the place of what came with the page (vite/prerender.ts), and nothing else stands there before. */
const firstScreen = new Promise<void>((resolve) => {
  if (router.state.initialized) return resolve()
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    resolve()
  })
})

/** Where the texts of a language do not come, English is better than nothing, and is there. */
const spoken = speak(firstLanguage()).catch(() => speak('en'))

/** Before the first amount is drawn. */
void new Worker(new URL('./i18n/intl-worker.ts', import.meta.url), { type: 'module' })

const drawn = document.documentElement.dataset['drawn'] !== undefined

/** Where it stands, the app has taken the place of what came with the page: from now on it can be used. */
function Standing() {
  useLayoutEffect(() => {
    root?.removeAttribute('inert')
    root?.removeAttribute('aria-busy')
    document.getElementById('not-loaded')?.remove()
  }, [])
  return null
}

watchLine()
// Loaded anew while a sheet was open: Back is to pass over its entry.
if ('sheets' in { ...(history.state as object | null) }) import('#web/lib/sheet-entries.ts').catch(() => {})
keepRequests(queries)
void Promise.all([spoken, restoreWhereOutOfReach(queries), finishSignOut(), drawn && firstScreen]).then(() => {
  const app = createRoot(root)
  // In slices, so that the page can be scrolled meanwhile. Nothing can be pressed before all of it stands there.
  startTransition(() =>
    app.render(
      <StrictMode>
        <Standing />
        <App />
      </StrictMode>,
    ),
  )
  const stop = router.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') return
    stop()
    delete document.documentElement.dataset['opening']
  })
})

function startInBackground(): void {
  if (isPicture()) return
  setTimeout(() => {
    keepShown(queries)
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    // Without a worker the app is the same, only not there when offline; so a failure is no one's concern.
    import('#web/app/version/worker.ts').then(({ startWorker }) => startWorker()).catch(() => {})
  }, BACKGROUND_AFTER_MS)
}

if (document.readyState === 'complete') startInBackground()
else window.addEventListener('load', startInBackground, { once: true })
