import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { type BankProcess, startBank } from '#server/faults/bank-process.ts'
import { proveBooks } from './bank.ts'

/**
 * Journeys with a bank to themselves: those that put the date of the whole bank forward, which all its customers see.
 * Each call makes another bank, which all journeys of the file share that run in the same worker. Its books are proved at
 * the end.
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
