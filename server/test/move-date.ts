import { expect } from 'vitest'
import type { ClockRequest } from '#contract/sample.ts'
import { caughtUp } from '#server/platform/jobs/date-walk.ts'
import type { Browser } from '#server/test/browser.ts'
import type { TestServer } from '#server/test/server.ts'

/** Longer than a month takes on a machine that is busy with ten other things. */
const WITHIN_MS = 150_000

/** Puts the date forward, as the sample panel does, and waits until all its days are worked. The server's jobs are to run. */
export async function moveDate({ deps }: Pick<TestServer, 'deps'>, browser: Browser, by: ClockRequest): Promise<void> {
  expect((await browser.post('/api/v1/sample/clock', by)).status).toBe(200)
  expect(await caughtUp(deps, WITHIN_MS)).toBe(true)
}
