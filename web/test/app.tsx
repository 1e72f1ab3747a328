import { createElement } from 'react'
import { toast as toasts } from 'sonner'
import { expect, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { Language } from '#contract/languages.ts'
import { App } from '#web/app/app.tsx'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { forgetVisits } from '#web/app/shell/recent.ts'
import { stopRequests } from '#web/lib/api.ts'
import { chooseLanguage } from '#web/i18n/language.ts'
import { leavingFinished } from '#web/identity/session/session.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { dropKept } from '#web/lib/kept.ts'
import { lineAnswered } from '#web/lib/line.ts'
import { bank } from '#web/test/bank.ts'

/** A path without a screen: what stands there asks for nothing. */
const NOWHERE = '/no-such-screen'

/** Opens a screen of the app at its path, as a link does. */
export async function open(path: string): Promise<void> {
  await router.navigate(path)
  await render(createElement(App))
}

/** A customer who has chosen a language, on whichever device. */
export async function chose(language: Language): Promise<void> {
  const me = await bank.recorded('/me')
  bank.get('/me', { ...me, customer: { ...me.customer, language } })
}

/** Opens a screen for a customer who has chosen a language, also on this device. */
export async function openIn(language: Language, path: string): Promise<void> {
  await chose(language)
  await chooseLanguage(language)
  await open(path)
}

/** The path of the screen that is open. */
export const address = (): string => router.state.location.pathname + router.state.location.search

/** A toast by its message; an older one may still be leaving. */
export const toast = (message: string | RegExp) => page.elementLocator(document.body).getByText(message).first()

/** Presses a control by its key: a toast may lie over it, and a pointer there would keep it. */
export async function press(control: Locator): Promise<void> {
  await expect.element(control).toBeEnabled()
  const element = control.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
}

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const

/** Time passes by itself, and faster where a test says so. */
export const withTime = () => vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...TIMERS] })

/** Time stands still but for `passUntil`: on a slow machine no more of it passes than on a fast one. */
export const standStill = () => vi.useFakeTimers({ toFake: [...TIMERS] })

/** Has time pass until something is on the screen, and then stand still again. */
export async function passUntil(shown: Locator): Promise<void> {
  const look = async () => {
    if (!shown.query()) await vi.advanceTimersByTimeAsync(500)
    return shown.query()
  }
  await expect.poll(look, { interval: 20 }).not.toBeNull()
}

/** A test waits so long for changes and sheets of the previous test. If that one never answers, the wait takes all of it. */
const WAITS = { timeout: 5_000 }

/** Leaves nothing of one test to the next. */
export async function leaveApp(): Promise<void> {
  toasts.dismiss()
  // What a switch changes is shown before it is sent, and would otherwise reach the bank of the next test.
  await vi.waitUntil(() => queries.isMutating() === 0, WAITS).catch(() => undefined)
  await cleanup()
  // What closes a sheet goes back in the history, a moment later.
  await vi.waitUntil(() => !(history.state as { sheets?: number } | null)?.sheets, WAITS).catch(() => undefined)
  await router.navigate(NOWHERE)
  leavingFinished()
  stopRequests()
  lineAnswered()
  queries.clear()
  dropKept()
  forgetOwnEntries()
  forgetVisits()
  localStorage.clear()
  sessionStorage.clear()
  // As another tab would say that nothing is chosen any more.
  delete document.documentElement.dataset['theme']
  dispatchEvent(new StorageEvent('storage', { key: 'alder.theme', newValue: null }))
}
