import { createElement } from 'react'
import { toast as toasts } from 'sonner'
import { expect, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { Language } from '#contract/languages.ts'
import { App } from '#web/app/app.tsx'
import { queries } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { forgetVisits } from '#web/app/shell/recent-screens.ts'
import { stopRequests } from '#web/lib/api.ts'
import { chooseLanguage } from '#web/i18n/language.ts'
import { finishLeaving } from '#web/identity/session/session.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { clearOfflineCache } from '#web/lib/offline-cache.ts'
import { noteResponse } from '#web/lib/connection.ts'
import { bank } from '#web/test/bank.ts'

/** A path without a screen, so that no screen sends requests. */
const NOWHERE = '/no-such-screen'

/** Opens a screen at its path, as a link does. */
export async function open(path: string): Promise<void> {
  await router.navigate(path)
  await render(createElement(App))
}

/** Simulates a customer who chose a language on another device. */
export async function setCustomerLanguage(language: Language): Promise<void> {
  const me = await bank.recorded('/me')
  bank.get('/me', { ...me, customer: { ...me.customer, language } })
}

/** Opens a screen for a customer who chose a language on this device. */
export async function openIn(language: Language, path: string): Promise<void> {
  await setCustomerLanguage(language)
  await chooseLanguage(language)
  await open(path)
}

/** Returns the path and the query string of the open screen. */
export const readAddress = (): string => router.state.location.pathname + router.state.location.search

/** Returns the first toast with a message. An older toast with the same message may still be fading out. */
export const findToast = (message: string | RegExp) => page.elementLocator(document.body).getByText(message).first()

/**
 * Activates a control by keyboard. A click does not work while a toast covers the control, and a pointer keeps the toast open.
 */
export async function pressByKey(control: Locator): Promise<void> {
  await expect.element(control).toBeEnabled()
  const element = control.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
}

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const

/** Starts fake time. It passes at normal speed, and a test can advance it. */
export const runFakeTime = () => vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...TIMERS] })

/** Starts fake time that passes only in `advanceUntil`. The speed of the machine then has no effect on a test. */
export const freezeTime = () => vi.useFakeTimers({ toFake: [...TIMERS] })

/** Advances fake time in steps of half a second until an element is on the screen. */
export async function advanceUntil(target: Locator): Promise<void> {
  const advanceAndFind = async () => {
    if (!target.query()) await vi.advanceTimersByTimeAsync(500)
    return target.query()
  }
  await expect.poll(advanceAndFind, { interval: 20 }).not.toBeNull()
}

/**
 * The limit for waiting until the changes of a test are finished, or until its sheets are closed. The wait lasts this long if a
 * request is never answered.
 */
const WAIT_LIMIT = { timeout: 5_000 }

/** Resets the app between tests. */
export async function resetApp(): Promise<void> {
  toasts.dismiss()
  // A switch shows a change before it sends the request. Without this wait, the next test would receive the request.
  await vi.waitUntil(() => queries.isMutating() === 0, WAIT_LIMIT).catch(() => undefined)
  await cleanup()
  // Closing a sheet goes back in the history, with a delay.
  await vi.waitUntil(() => !(history.state as { sheets?: number } | null)?.sheets, WAIT_LIMIT).catch(() => undefined)
  await router.navigate(NOWHERE)
  finishLeaving()
  stopRequests()
  noteResponse()
  queries.clear()
  clearOfflineCache()
  forgetOwnEntries()
  forgetVisits()
  localStorage.clear()
  sessionStorage.clear()
  // Resets the theme, as if another tab had reset it.
  delete document.documentElement.dataset['theme']
  dispatchEvent(new StorageEvent('storage', { key: 'alder.theme', newValue: null }))
}
