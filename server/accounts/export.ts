import { transactionOfLine } from '#server/accounts/transaction.ts'
import { type Account, accountsOf } from '#server/ledger/accounts.ts'
import { listLines } from '#server/ledger/statement.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { ExportedFields } from '#server/platform/slice.ts'

/** Yields a customer's accounts, each with all its transactions. */
export async function* exportAccounts(run: Run, customerId: string): AsyncGenerator<ExportedFields> {
  for (const account of await accountsOf(run, customerId)) {
    const { id, code, asset, status, balanceMinor, heldMinor } = account
    yield { id, code, asset, status, balanceMinor, heldMinor, transactions: transactions(run, account) }
  }
}

async function* transactions(run: Run, { id: accountId }: Account) {
  let cursor: string | undefined
  do {
    const { lines, nextCursor } = await listLines(run, { accountId, filters: {}, cursor, limit: PAGE_SIZE })
    for (const line of lines) yield transactionOfLine(line)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
