import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { firstLanguage, speak } from '#web/i18n/language.ts'
import '@fontsource-variable/inter/opsz.css'
import '#web/styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Where its texts do not come, English is better than nothing; where that does not either, the bank is out of reach.
const spoken = speak(firstLanguage()).catch(() => speak('en'))
void spoken.finally(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without a worker the app is the same, only not there when offline; so a failure is no one's concern.
  navigator.serviceWorker.register('/sw.js').catch(() => {})
}
