import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { speak } from '#web/i18n/language.ts'
import { leaveApp } from '#web/test/app.tsx'
import { resetBank } from '#web/test/bank.ts'
import { commands } from '#web/test/commands.ts'
import '@fontsource-variable/inter/wght.css'
import '#web/styles.css'

const PHONE = [390, 844] as const

/** For the first of all tests a real bank is opened, which takes longer than a test may. */
beforeAll(() => commands.record('/api/v1/me'), 120_000)
beforeAll(() => commands.showInFrames(''))
beforeEach(() => speak('en'))
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await leaveApp()
  if (innerWidth !== PHONE[0] || innerHeight !== PHONE[1]) await page.viewport(...PHONE)
  resetBank()
})
