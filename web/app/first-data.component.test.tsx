import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { open } from '#web/test/app.tsx'
import { asked } from '#web/test/bank.ts'

/** What all screens ask. */
const COMMON: ReadonlySet<string> = new Set(['/me', '/dashboard', '/session'])

test.for([
  ['/transfer', ['/contacts', '/schedules']],
  ['/transactions', ['/transactions', '/transactions/summary']],
  ['/add-money', ['/linked-accounts', '/top-ups/methods']],
  ['/payment-methods', ['/cards', '/linked-accounts', '/mandates']],
  ['/cards', ['/cards']],
  ['/settings', ['/kyc', '/profile']],
  ['/personal-info', ['/profile']],
  ['/security-privacy', ['/security']],
  ['/security-privacy/devices', ['/sessions']],
  // Without any activity it shows the device that is there.
  ['/security-privacy/activity', ['/security-events', '/sessions']],
  ['/kyc', ['/kyc']],
] as const)('%s asks for its own data once', async ([path, own]) => {
  await open(path)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  const read = () => asked.map((one) => one.path).filter((one) => !COMMON.has(one))
  await expect.poll(() => read().toSorted()).toEqual(own)
  await expect.poll(() => page.getByText(/^Loading/).elements()).toHaveLength(0)
  expect(read().toSorted()).toEqual(own)
})
