import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { Window } from 'happy-dom'
import { build } from 'vite'
import { LANGUAGE_CODES } from '#contract/languages.ts'
import type { drawScreens } from '#web/prerender.tsx'
import { texts } from '../locales/vite.ts'
import { compressAll } from './compressed.ts'
import { DRAWN_SCREENS } from './drawn-screens.ts'
import { pagesOf } from './pages.ts'

/**
 * Goes on where Vite's build ends. Writes dist/pages.json: what each page needs at once. Compresses the assets. Draws each screen as it stands
 * before the bank has said anything, and writes dist/screens.json: the page is sent with it, so that something is there to
 * see while the app's code is on its way.
 */

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

writeFileSync(join(DIST, 'pages.json'), JSON.stringify(pagesOf(DIST)))
// Nobody else reads Vite's manifest, and what lies in this folder is served.
rmSync(join(DIST, '.vite'), { recursive: true })
compressAll(join(DIST, 'assets'))

/** A phone's browser. */
function openBrowser(): void {
  const window = new Window({ url: 'http://localhost/', width: 390, height: 844 })
  const { navigator, localStorage, sessionStorage } = window
  const replaced = { window, navigator, localStorage, sessionStorage }
  const parts = Object.getOwnPropertyNames(window).filter((name) => !(name in globalThis))
  for (const name of [...parts, ...Object.keys(replaced)]) {
    const value: unknown = name in replaced ? replaced[name as keyof typeof replaced] : window[name as keyof Window]
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}

const outDir = join(ROOT, 'node_modules', '.cache', 'prerender')
await build({
  root: ROOT,
  configFile: false,
  logLevel: 'warn',
  plugins: [texts(), react()],
  build: {
    ssr: 'web/prerender.tsx',
    outDir,
    emptyOutDir: true,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
})
openBrowser()
const built = (await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as { drawScreens: typeof drawScreens }
const drawn = await built.drawScreens(LANGUAGE_CODES, DRAWN_SCREENS)
writeFileSync(join(DIST, 'screens.json'), JSON.stringify(drawn))
// Timers of the app would keep the process.
process.exit(0)
