import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { Splash } from '#web/app/splash.tsx'
import type { Language } from '#contract/languages.ts'
import { chooseLanguage } from '#web/i18n/language.ts'
import { keyOf } from '#web/lib/early.ts'
import { paths } from '#web/lib/paths.ts'

const LOOK_EVERY_MS = 20
const MOST_LOOKS = 1_000

/** Waits until another screen than that of the title `before` stands there, and stays. Throws where nothing comes. */
async function settled(root: HTMLElement, before: string): Promise<void> {
  let last = ''
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const now = root.innerHTML
    if (now === last && document.title !== before && root.querySelector('h1') !== null) return
    last = now
  }
  throw new Error(`Nothing came at ${router.state.location.pathname}`)
}

/**
 * A screen as it stands before the bank has said anything, and what it asks the bank meanwhile, as paths of the API, with
 * {id} for the one that the address names.
 */
export type Drawn = { title: string; html: string; asks: string[] }

/** Stands for the one that the address of a screen names. */
const ANY_ID = '00000000-0000-4000-8000-000000000000'

/** Where none of the screens is, so that the first of a language is another one too. */
const BETWEEN = '/no-screen'

const API = '/api/v1'
/** What the page asks whatever its screen (web/public/boot.js). */
const ALWAYS_ASKED = new Set(['/me', '/session', '/dashboard'])

/** A bank that never answers, and what was asked of it since the last time. */
function silentBank(): () => string[] {
  let asked: string[] = []
  globalThis.fetch = (input, init) => {
    const [, path] = keyOf(input, init?.method).split(`GET ${API}`)
    if (path && !ALWAYS_ASKED.has(path)) asked.push(path.replace(ANY_ID, '{id}'))
    return new Promise(() => {})
  }
  return () => {
    const taken = asked
    asked = []
    return taken
  }
}

/** What stands for a screen that depends on what its address carries, until the app knows. */
async function drawSplash(root: HTMLElement): Promise<Drawn> {
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

/** Draws screens one after the other into the page that it runs in, by language and path; '*' is what stands for any other. The build runs it. */
export async function drawScreens(
  languages: readonly Language[],
  addresses: readonly string[],
): Promise<Record<string, Record<string, Drawn>>> {
  const root = document.createElement('div')
  document.body.append(root)
  const drawn: Record<string, Record<string, Drawn>> = {}
  const takeAsked = silentBank()
  for (const language of languages) {
    // As on a device that has chosen it: the app would else go on in the first language of all.
    await chooseLanguage(language)
    const screens: Record<string, Drawn> = { '*': await drawSplash(root) }
    const app = createRoot(root)
    app.render(<App />)
    for (const path of addresses) {
      const before = document.title
      // What one screen is still waiting for, the next would not ask for.
      queries.clear()
      takeAsked()
      await router.navigate(path === paths.transactionDetail ? `${path}?id=${ANY_ID}` : path)
      await settled(root, before)
      if (router.state.location.pathname !== path || router.state.errors) throw new Error(`${path} could not be drawn`)
      if (i18n.locale !== language) throw new Error(`${path} was drawn in ${i18n.locale}, not in ${language}`)
      screens[path] = { title: document.title, html: root.innerHTML, asks: takeAsked() }
    }
    drawn[language] = screens
    app.unmount()
    await router.navigate(BETWEEN)
  }
  return drawn
}
