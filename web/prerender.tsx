import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { Splash } from '#web/app/splash.tsx'
import type { Language } from '#contract/languages.ts'
import { chooseLanguage } from '#web/i18n/language.ts'
import { requestKey } from '#web/lib/prefetched.ts'
import { paths } from '#web/lib/paths.ts'

const LOOK_EVERY_MS = 20
const MAX_LOOKS = 1_000

/**
 * Waits until a screen with a title other than `previousTitle` has rendered and stays unchanged. Throws if no such screen
 * renders.
 */
async function waitForScreen(root: HTMLElement, previousTitle: string): Promise<void> {
  let last = ''
  for (let attempt = 0; attempt < MAX_LOOKS; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const now = root.innerHTML
    if (now === last && document.title !== previousTitle && root.querySelector('h1') !== null) return
    last = now
  }
  throw new Error(`No screen was rendered at ${router.state.location.pathname}`)
}

/**
 * A screen before the bank's first response, and its requests as paths of the API. `{id}` in a path stands for the id in the
 * address.
 */
export type PrerenderedScreen = { title: string; html: string; asks: string[] }

/** A placeholder for the id in a screen's address. */
const ANY_ID = '00000000-0000-4000-8000-000000000000'

/** A path without a screen, so that the first screen of each language also counts as a new one. */
const EMPTY_PATH = '/no-screen'

const API = '/api/v1'
/** The requests that web/public/boot.js sends itself, so they are not listed for each screen. */
const ALWAYS_ASKED = new Set(['/me', '/session', '/dashboard'])

/** Mocks a bank that never responds. Returns a function for the other requests since its last call. */
function silentBank(): () => string[] {
  let requests: string[] = []
  globalThis.fetch = (input, init) => {
    const [, path] = requestKey(input, init?.method).split(`GET ${API}`)
    if (path && !ALWAYS_ASKED.has(path)) requests.push(path.replace(ANY_ID, '{id}'))
    return new Promise(() => {})
  }
  return () => {
    const currentRequests = requests
    requests = []
    return currentRequests
  }
}

/** Renders the splash screen, which is shown at every path whose screen is not prerendered (vite/prerendered-screens.ts). */
async function drawSplash(root: HTMLElement): Promise<PrerenderedScreen> {
  const splash = createRoot(root)
  splash.render(
    <I18nProvider i18n={i18n}>
      <Splash />
    </I18nProvider>,
  )
  while (root.innerHTML === '') await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  const { innerHTML: html } = root
  splash.unmount()
  return { title: 'Alder', html, asks: [] }
}

/**
 * Renders screens one after the other in the current page, and returns them by language and path. The key '*' is for all other
 * paths. The build runs this function.
 */
export async function prerenderScreens(
  languages: readonly Language[],
  addresses: readonly string[],
): Promise<Record<string, Record<string, PrerenderedScreen>>> {
  const root = document.createElement('div')
  document.body.append(root)
  const screensByLanguage: Record<string, Record<string, PrerenderedScreen>> = {}
  const takeAsked = silentBank()
  for (const language of languages) {
    // The language is stored as the device's choice, because the app would otherwise continue in its first language.
    await chooseLanguage(language)
    const screens: Record<string, PrerenderedScreen> = { '*': await drawSplash(root) }
    const app = createRoot(root)
    app.render(<App />)
    for (const path of addresses) {
      const previousTitle = document.title
      // The next screen would not repeat a request that the previous screen is still waiting for.
      queries.clear()
      takeAsked()
      await router.navigate(path === paths.transactionDetail ? `${path}?id=${ANY_ID}` : path)
      await waitForScreen(root, previousTitle)
      if (router.state.location.pathname !== path || router.state.errors)
        throw new Error(`${path} could not be rendered`)
      if (i18n.locale !== language) throw new Error(`${path} was rendered in ${i18n.locale}, not in ${language}`)
      screens[path] = { title: document.title, html: root.innerHTML, asks: takeAsked() }
    }
    screensByLanguage[language] = screens
    app.unmount()
    await router.navigate(EMPTY_PATH)
  }
  return screensByLanguage
}
