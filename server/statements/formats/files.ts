import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type CsvStyle, csvStyleOf, statementFileName, type StatementFormat } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/recipient.ts'
import { renderApart } from '#server/statements/formats/apart.ts'
import { statementWords } from '#server/statements/formats/words.ts'
import { readStatement } from '#server/statements/reading/statement.ts'

export const MEDIA_TYPES = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  ofx: 'application/x-ofx',
  camt: 'application/xml',
} as const satisfies Record<StatementFormat, string>

type Asked = { accountId: string; range: StatementRange; format: StatementFormat; csv?: CsvStyle | undefined }
type FileDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'translations' | 'shares' | 'workers' | 'longWorkers'>

/** A statement's file as it is written, its name, and how many transactions it will have. */
export type StatementFile = { content: ReadableStream<Uint8Array>; name: string; transactions: number }

/** A month seldom has more. Written as a PDF, so many take two seconds at most. */
const SHORT_LINES = 300

/**
 * A statement as a file, from its first piece on. It is written as fast as it is read, and no longer than somebody
 * reads it. Long ones have a thread of their own, where all of them go on side by side. Throws what
 * `readStatement` does, and Refusal `too_many_requests` for many at once.
 */
export async function makeStatement(
  deps: FileDeps,
  customer: Pick<Customer, 'id' | 'currentAccountId' | 'fullName' | 'language'>,
  { accountId, range, format, csv = csvStyleOf(customer.language ?? SOURCE_LANGUAGE) }: Asked,
  recipient: Recipient,
): Promise<StatementFile> {
  const { statement, lines } = await readStatement(deps, customer, { accountId, range })
  const words = statementWords(deps.translations.in(customer.language), statement)
  const [share, workers] =
    statement.count > SHORT_LINES
      ? [deps.shares.longStatements, deps.longWorkers]
      : [deps.shares.statements, deps.workers]
  const { promise, resolve, reject } = Promise.withResolvers<StatementFile>()
  const work = async (makeRoom: AbortSignal | null): Promise<void> => {
    const { log } = deps
    const file = renderApart({ log, workers }, { format, csv, statement, words, lines }, { recipient, makeRoom })
    resolve({ content: await file.begun, name: statementFileName(range, format), transactions: statement.count })
    await file.ended
  }
  share(customer.id, work, () => !recipient.gone.aborted).catch(reject)
  return promise
}
