import { expect } from 'vitest'
import type { ClockRequest } from '#contract/sample.ts'
import { hasCaughtUp } from '#server/platform/jobs/date-walk.ts'
import type { Browser } from '#server/test/browser.ts'
import type { TestServer } from '#server/test/server.ts'

/** The timeout. A move by a month takes less, even on a machine that runs ten other tasks. */
const WITHIN_MS = 150_000

/**
 * Moves the date forward as the sample panel does, and waits until the jobs of all days are done. The server's jobs must run.
 */
export async function moveSampleDate(
  { deps }: Pick<TestServer, 'deps'>,
  browser: Browser,
  clockRequest: ClockRequest,
): Promise<void> {
  expect((await browser.post('/api/v1/sample/clock', clockRequest)).status).toBe(200)
  expect(await hasCaughtUp(deps, WITHIN_MS)).toBe(true)
}
