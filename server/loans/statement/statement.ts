import type { LoanDetails } from '#contract/loans.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { statementWords } from '#server/loans/statement/words.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/recipient.ts'

/** What is run in a thread of its own: its fonts alone keep a processor busy for a tenth of a second. */
const RENDERER = { filename: import.meta.resolve('#server/loans/statement/pdf.ts'), name: 'loanStatementPdf' }

/** The statement of a loan as a PDF, in the customer's language. Throws Refusal `too_many_requests` for many at once. */
export function makeStatement(
  { shares, workers, translations, clock }: Pick<Deps, 'shares' | 'workers' | 'translations' | 'clock'>,
  { id, language, fullName: holderName }: Pick<Customer, 'id' | 'language' | 'fullName'>,
  loan: LoanDetails,
  { gone }: Recipient,
): Promise<Uint8Array<ArrayBuffer>> {
  const madeAt = clock.businessNow().toISOString()
  const words = statementWords(translations.in(language), { loan, holderName, madeAt })
  return shares.receipts(
    id,
    () => workers.run(words, RENDERER) as Promise<Uint8Array<ArrayBuffer>>,
    () => !gone.aborted,
  )
}
