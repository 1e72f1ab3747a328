import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { router } from '#web/app/routes.tsx'
import { firstLanguage, speak } from '#web/i18n/language.ts'
import '@fontsource-variable/inter/wght.css'
import '#web/styles.css'

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

// Where its texts do not come, English is better than nothing; where that does not either, the bank is out of reach.
const spoken = speak(firstLanguage()).catch(() => speak('en'))
const drawn = document.documentElement.dataset['drawn'] !== undefined
void Promise.allSettled([spoken, ...(drawn ? [firstScreen] : [])]).then(() => {
  root.inert = false
  root.removeAttribute('aria-busy')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  const stop = router.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') return
    stop()
    delete document.documentElement.dataset['opening']
  })
})

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without a worker the app is the same, only not there when offline; so a failure is no one's concern.
  navigator.serviceWorker.register('/sw.js').catch(() => {})
}
