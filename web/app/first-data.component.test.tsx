import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { open } from '#web/test/app.tsx'
import { recordedRequests } from '#web/test/bank.ts'

/** The requests that every screen sends. */
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
  // Without other activity, the screen lists the current device.
  ['/security-privacy/activity', ['/security-events', '/sessions']],
  ['/kyc', ['/kyc']],
] as const)('%s requests its own data once', async ([path, requests]) => {
  await open(path)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  const listPaths = () => recordedRequests.map((item) => item.path).filter((item) => !COMMON.has(item))
  await expect.poll(() => listPaths().toSorted()).toEqual(requests)
  await expect.poll(() => page.getByText(/^Loading/).elements()).toHaveLength(0)
  expect(listPaths().toSorted()).toEqual(requests)
})
