import { statementFileName, type StatementFormat } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Rendering } from '#server/statements/formats/render.ts'
import { statementWords } from '#server/statements/formats/words.ts'
import { readStatement } from '#server/statements/reading/statement.ts'

/** What is run in a thread of its own. */
const RENDERER = { filename: import.meta.resolve('#server/statements/formats/render.ts'), name: 'renderStatement' }

export const MEDIA_TYPES = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  ofx: 'application/x-ofx',
  camt: 'application/xml',
} as const satisfies Record<StatementFormat, string>

type Asked = { accountId: string; range: StatementRange; format: StatementFormat }

/**
 * A statement as a file, with its name. One PDF and one other at a time are read and made, so that what those with
 * thousands of lines take of memory and time is bounded. Throws what `readStatement` does, and Refusal
 * `too_many_requests` for many at once.
 */
export async function makeStatement(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'translations' | 'shares' | 'workers'>,
  customer: Pick<Customer, 'id' | 'currentAccountId' | 'fullName' | 'language'>,
  { accountId, range, format }: Asked,
): Promise<{ content: Uint8Array<ArrayBuffer>; name: string }> {
  const share = format === 'pdf' ? deps.shares.statementPdfs : deps.shares.statements
  return share(customer.id, async () => {
    const statement = await readStatement(deps, customer, { accountId, range })
    const words = statementWords(deps.translations.in(customer.language), statement)
    const rendering: Rendering = { format, statement, words }
    const content = (await deps.workers.run(rendering, RENDERER)) as Uint8Array<ArrayBuffer>
    return { content, name: statementFileName(range, format) }
  })
}
