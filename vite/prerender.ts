import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { Window } from 'happy-dom'
import { build } from 'vite'
import { LANGUAGE_CODES } from '#contract/languages.ts'
import type { prerenderScreens } from '#web/prerender.tsx'
import { translationPlugins } from '../locales/vite-plugin.ts'
import { compressAll } from './compress.ts'
import { PRERENDERED_SCREENS } from './prerendered-screens.ts'
import { readPages } from './pages.ts'

/**
 * Runs after Vite's build. Writes dist/pages.json with the assets that each page needs at once, and compresses the assets.
 * Renders the screens of prerendered-screens.ts without data from the bank and writes dist/screens.json. The server sends this
 * HTML with the page, so the customer sees the screen while the app's code loads.
 */

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

writeFileSync(join(DIST, 'pages.json'), JSON.stringify(readPages(DIST)))
// No other program reads Vite's manifest, and the server would serve it from this folder.
rmSync(join(DIST, '.vite'), { recursive: true })
compressAll(join(DIST, 'assets'))

/** Simulates a phone's browser. */
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
  plugins: [translationPlugins(), react()],
  build: {
    ssr: 'web/prerender.tsx',
    outDir,
    emptyOutDir: true,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
})
openBrowser()
const built = (await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as {
  prerenderScreens: typeof prerenderScreens
}
const drawn = await built.prerenderScreens(LANGUAGE_CODES, PRERENDERED_SCREENS)
writeFileSync(join(DIST, 'screens.json'), JSON.stringify(drawn))
// The app's timers would keep the process running.
process.exit(0)
