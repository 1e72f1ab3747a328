import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { activateLanguage } from '#web/i18n/language.ts'
import { resetApp } from '#web/test/app.tsx'
import { resetBank } from '#web/test/bank.ts'
import { commands } from '#web/test/commands.ts'
import '@fontsource-variable/inter/wght.css'
import '#web/styles.css'

const PHONE = [390, 844] as const

/** The first test starts a real bank, which takes longer than a test may. */
beforeAll(() => commands.record('/api/v1/me'), 120_000)
beforeAll(() => commands.showInFrames(''))
beforeEach(() => activateLanguage('en'))
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await resetApp()
  if (innerWidth !== PHONE[0] || innerHeight !== PHONE[1]) await page.viewport(...PHONE)
  resetBank()
})
