import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { keepShown, restoreWhereOutOfReach } from '#web/app/kept/start.ts'
import { queries } from '#web/app/query-client.ts'
import { finishSignOut } from '#web/identity/session/late-sign-out.ts'
import { firstLanguage, speak } from '#web/i18n/language.ts'
import { watchLine } from '#web/lib/line.ts'
import '@fontsource-variable/inter/opsz.css'
import '#web/styles.css'

/** How long after the page is there begins what nobody waits for: the other screens' code is fetched, and data is kept. */
const BACKGROUND_AFTER_MS = 3_000
const TRY_AGAIN_MS = 5_000

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** Where the texts of a language do not come, English is better than nothing. */
const speakSomething = (): Promise<void> => speak(firstLanguage()).catch(() => speak('en'))

/** Without any texts there is nothing to show; what is said meanwhile is in no catalog, because no catalog has come. */
async function speakAtLast(): Promise<void> {
  while (true) {
    try {
      return await speakSomething()
    } catch {
      root?.replaceChildren("You're offline. Alder opens as soon as you're back.")
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    }
  }
}

watchLine()
void Promise.all([speakAtLast(), restoreWhereOutOfReach(queries), finishSignOut()]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)

function startInBackground(): void {
  setTimeout(() => {
    keepShown(queries)
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    // Without a worker the app is the same, only not there when offline; so a failure is no one's concern.
    import('#web/app/version/worker.ts').then(({ startWorker }) => startWorker()).catch(() => {})
  }, BACKGROUND_AFTER_MS)
}

if (document.readyState === 'complete') startInBackground()
else window.addEventListener('load', startInBackground, { once: true })
