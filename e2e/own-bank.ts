import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { type BankProcess, startBank } from '#server/faults/bank-process.ts'
import { proveBooks } from './bank.ts'

/**
 * Gives journeys a bank of their own. Journeys that move the bank's date forward need one, because all of its customers see the
 * date. Each call opens another bank, shared by the file's journeys in one worker. Its books are proved at the end.
 */
export const withOwnBank = () =>
  test.extend<object, { own: { bank: BankProcess; dir: string } }>({
    own: [
      // Playwright reads from the pattern which fixtures this one needs: none.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const dir = mkdtempSync(join(tmpdir(), 'alder-e2e-own-'))
        const bank = await startBank({ dir, env: { LOG_LEVEL: 'error' } })
        try {
          await use({ bank, dir })
          await proveBooks(dir)
        } finally {
          await bank.end('SIGTERM')
          rmSync(dir, { recursive: true, force: true })
        }
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    baseURL: ({ own }, use) => use(own.bank.url),
  })
