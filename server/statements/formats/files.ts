import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type CsvStyle, csvStyleOf, statementFileName, type StatementFormat } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/response-recipient.ts'
import { renderInThread } from '#server/statements/formats/render-in-thread.ts'
import { statementWords } from '#server/statements/formats/words.ts'
import { readStatement } from '#server/statements/reading/statement.ts'

export const MEDIA_TYPES = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  ofx: 'application/x-ofx',
  camt: 'application/xml',
} as const satisfies Record<StatementFormat, string>

type FileRequest = { accountId: string; range: StatementRange; format: StatementFormat; csv?: CsvStyle | undefined }
type FileDeps = Pick<
  Deps,
  'config' | 'db' | 'clock' | 'log' | 'translations' | 'concurrencyLimits' | 'workers' | 'longWorkers'
>

/** A statement's file while it is being written, with its name and the number of transactions that it will contain. */
export type StatementFile = { content: ReadableStream<Uint8Array>; name: string; transactions: number }

/**
 * The largest number of lines in a short statement. A month seldom has more lines. A PDF of 300 lines takes two seconds at
 * most.
 */
const SHORT_LINES = 300

/**
 * Writes a statement as a file. Returns the file as soon as its first piece exists. Later pieces are written as fast as the
 * recipient reads them, and the work stops when the recipient disconnects. All long statements are written in one separate
 * thread, side by side. Throws the errors of `readStatement`, and Refusal `too_many_requests` if the customer requests many at
 * the same time.
 */
export async function makeAccountStatement(
  deps: FileDeps,
  customer: Pick<Customer, 'id' | 'currentAccountId' | 'fullName' | 'language'>,
  { accountId, range, format, csv = csvStyleOf(customer.language ?? SOURCE_LANGUAGE) }: FileRequest,
  recipient: Recipient,
): Promise<StatementFile> {
  const { statement, lines } = await readStatement(deps, customer, { accountId, range })
  const words = statementWords(deps.translations.in(customer.language), statement)
  const [share, workers] =
    statement.count > SHORT_LINES
      ? [deps.concurrencyLimits.longStatements, deps.longWorkers]
      : [deps.concurrencyLimits.statements, deps.workers]
  const { promise, resolve, reject } = Promise.withResolvers<StatementFile>()
  const work = async (makeRoom: AbortSignal | null): Promise<void> => {
    const { log } = deps
    const file = renderInThread({ log, workers }, { format, csv, statement, words, lines }, { recipient, makeRoom })
    resolve({ content: await file.begun, name: statementFileName(range, format), transactions: statement.count })
    await file.ended
  }
  share(customer.id, work, () => !recipient.gone.aborted).catch(reject)
  return promise
}
