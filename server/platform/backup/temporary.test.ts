import { expect, test, vi } from 'vitest'
import { withTemporary } from '#server/platform/backup/temporary.ts'
import { StartError } from '#server/platform/process/start-error.ts'

test('a missing temporary folder is reported in one sentence', async () => {
  vi.stubEnv('TMPDIR', '/none/such')
  try {
    const failed = await withTemporary(async () => null).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(StartError)
    expect((failed as Error).message).toMatch(/^TMPDIR must be a folder that can be written, and \/none\/such is not: /)
  } finally {
    vi.unstubAllEnvs()
  }
})
