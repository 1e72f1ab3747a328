import type { Category } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { methodTextIn, nameTextIn } from '#contract/code-texts.ts'
import { STATEMENT_LINES } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import type { StatementSummary } from '#contract/statements.ts'
import { accountNumberOf } from '#server/account-details/number.ts'
import { referenceOf, transactionIdOf } from '#server/accounts/identifiers.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type StatementEntry, readLines, readPeriod, sumPeriod } from '#server/ledger/statement-period.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Translator } from '#server/platform/translations.ts'
import { findStatementAccount, type StatementLedgerAccount } from '#server/statements/reading/accounts.ts'
import { periodOf } from '#server/statements/reading/range.ts'

/** A line of a statement, in the reader's language. */
export type StatementLine = {
  /** An id that is unique within the account: 32 digits of the operation, and the index of the transfer in it. */
  id: string
  transactionId: string
  reference: string
  bookedAt: string
  name: string
  /** The method in words, for example 'Bank transfer'; empty if the payment has no method. */
  method: string
  category: string
  note: string
  /** The codes of the category, the method and the name, not translated. `label`: null if the name is not a code. */
  purpose: Category
  methodCode: string | null
  label: string | null
  amountMinor: number
  balanceMinor: number
}

/** The data of a statement without its lines, the same for all formats. All figures come from the ledger. */
export type AccountStatement = {
  /** The language of the texts. */
  language: string
  holderName: string
  accountName: string
  /**
   * The account number to which others send payments (server/account-details/number.ts). `routingNumber`: null if the account
   * cannot receive payments from other banks.
   */
  accountNumber: string
  routingNumber: string | null
  asset: 'USD'
  range: StatementRange
  /** An instant in business time. */
  madeAt: string
  openingMinor: number
  inMinor: number
  outMinor: number
  closingMinor: number
  /** The number of all lines, and the number of lines that are money in. */
  count: number
  inCount: number
}

/** A statement's lines, oldest first, in batches. */
export type StatementLines = AsyncIterable<StatementLine[]>

/** The number of lines in memory at a time. */
const AT_A_TIME = 100

type StatementRequest = { accountId: string; range: StatementRange }

/**
 * Returns the figures of a statement. `accountId`: 'current' or the id of a card (contract/statements.ts). Throws Refusal
 * `not_found`, and the errors of `periodOf`.
 */
export async function summarizeStatement(
  deps: Pick<Deps, 'db' | 'clock'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  { accountId, range }: StatementRequest,
): Promise<StatementSummary> {
  const period = periodOf(range, deps.clock.businessNow())
  const account = await findStatementAccount(deps, customer, accountId)
  const { openingMinor, inMinor, outMinor, count } = await sumPeriod(runIn(deps.db), account.accountId, period)
  const closingMinor = openingMinor + inMinor - outMinor
  return { asset: 'USD', openingMinor, inMinor, outMinor, closingMinor, count, tooLong: count > STATEMENT_LINES }
}

/**
 * Returns a statement with its lines, which are read on demand. Throws the errors of `summarizeStatement`, and Refusal
 * `statement_too_long`.
 */
export async function readStatement(
  deps: Pick<Deps, 'db' | 'clock' | 'translations' | 'config'>,
  customer: Pick<Customer, 'id' | 'currentAccountId' | 'fullName' | 'language'>,
  { accountId, range }: StatementRequest,
): Promise<{ statement: AccountStatement; lines: AsyncGenerator<StatementLine[]> }> {
  const now = deps.clock.businessNow()
  const dates = periodOf(range, now)
  const account = await findStatementAccount(deps, customer, accountId)
  const run = runIn(deps.db)
  const period = await readPeriod(run, account.accountId, dates, STATEMENT_LINES)
  if (period === null) throw new Refusal('statement_too_long')
  const translator = deps.translations.in(customer.language)
  const { versions: _versions, ...sums } = period
  const statement: AccountStatement = {
    language: translator.language,
    holderName: customer.fullName,
    accountName: accountNameOf(translator, account),
    accountNumber: accountNumberOf(deps.config, account.accountId),
    // A card's own account cannot receive bank transfers: the bank returns them.
    routingNumber: account.kind === 'current' ? deps.config.routingNumber : null,
    asset: 'USD',
    range,
    madeAt: now.toISOString(),
    ...sums,
    closingMinor: period.openingMinor + period.inMinor - period.outMinor,
  }
  const booked = readLines(run, account.accountId, period, AT_A_TIME)
  return { statement, lines: someInWords(translator, booked) }
}

async function* someInWords(
  translator: Translator,
  entryBatches: AsyncIterable<StatementEntry[]>,
): AsyncGenerator<StatementLine[]> {
  for await (const batch of entryBatches) yield batch.map((line) => inWords(translator, line))
}

function accountNameOf({ i18n }: Translator, { kind, name, lastFour }: StatementLedgerAccount): string {
  if (kind === 'current') return i18n._({ id: 'statement.current_account', message: 'Checking account' })
  return i18n._({
    id: 'statement.card_account',
    message: '{name} •••• {lastFour}',
    comment: "{name} is the customer's name for a card, {lastFour} the last digits of its number",
    values: { name, lastFour },
  })
}

/**
 * Control characters that change the reading direction or control a terminal. They are removed from files: a payer's text could
 * reverse the amounts after it. On a screen, direction marks are needed to keep a card's digits in order.
 */
const STEERING = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu
const unsteered = (text: string): string => text.replaceAll(STEERING, '')

function inWords({ textOf }: Translator, line: StatementEntry): StatementLine {
  const { originId, operationId, category, method, note, amountMinor, balanceAfterMinor, name } = line
  return {
    id: `${operationId.replaceAll('-', '')}.${line.leg}`,
    transactionId: transactionIdOf(originId),
    reference: referenceOf(originId),
    bookedAt: line.bookedAt.toISOString(),
    name: name ? unsteered(nameTextIn(textOf, name)) : '',
    method: unsteered(methodTextIn(textOf, method)),
    category: textOf('category', category ?? 'transfer'),
    note: unsteered(note ?? ''),
    purpose: category ?? 'transfer',
    methodCode: method?.code ?? null,
    label: name === null || name.code === 'name' ? null : name.code,
    amountMinor,
    balanceMinor: balanceAfterMinor,
  }
}
