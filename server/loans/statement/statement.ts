import type { LoanDetails } from '#contract/loans.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { loanStatementWords } from '#server/loans/statement/words.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/response-recipient.ts'

/**
 * The function that draws the PDF. It runs in a separate thread, because loading its fonts keeps a processor busy for a tenth
 * of a second.
 */
const RENDERER = { filename: import.meta.resolve('#server/loans/statement/pdf.ts'), name: 'loanStatementPdf' }

/**
 * Returns the statement of a loan as a PDF, in the customer's language. Throws Refusal `too_many_requests` if the customer
 * requests many at the same time.
 */
export function makeLoanStatement(
  {
    concurrencyLimits: shares,
    workers,
    translations,
    clock,
  }: Pick<Deps, 'concurrencyLimits' | 'workers' | 'translations' | 'clock'>,
  { id, language, fullName: holderName }: Pick<Customer, 'id' | 'language' | 'fullName'>,
  loan: LoanDetails,
  { gone }: Recipient,
): Promise<Uint8Array<ArrayBuffer>> {
  const madeAt = clock.businessNow().toISOString()
  const words = loanStatementWords(translations.in(language), { loan, holderName, madeAt })
  return shares.receipts(
    id,
    () => workers.run(words, RENDERER) as Promise<Uint8Array<ArrayBuffer>>,
    () => !gone.aborted,
  )
}
