import type { Category } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { methodSaid, nameSaid } from '#contract/said.ts'
import { STATEMENT_LINES } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statement-range.ts'
import type { StatementSummary } from '#contract/statements.ts'
import { accountNumberOf } from '#server/account-details/number.ts'
import { referenceOf, transactionIdOf } from '#server/accounts/identifiers.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type StatedLine, readLines, readPeriod, sumPeriod } from '#server/ledger/period.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Translator } from '#server/platform/translations.ts'
import { findStated, type StatedAccount } from '#server/statements/reading/accounts.ts'
import { periodOf } from '#server/statements/reading/range.ts'

/** A line of a statement, in the words of its reader. */
export type StatementLine = {
  /** Of this account's lines alone this one's: 32 digits of the operation, and which of its transfers it is. */
  id: string
  transactionId: string
  reference: string
  bookedAt: string
  name: string
  /** 'Bank transfer'; empty where nothing was said. */
  method: string
  category: string
  note: string
  /** What it was for and how, as the bank knows it. */
  purpose: Category
  methodCode: string | null
  label: string | null
  amountMinor: number
  balanceMinor: number
}

/** A statement but for its lines, before it is written in some format. All of it comes from the ledger. */
export type Statement = {
  /** What the words are in. */
  language: string
  holderName: string
  accountName: string
  /** What others pay it by (server/account-details/number.ts), and the bank's routing number where they can. */
  accountNumber: string
  routingNumber: string | null
  asset: 'USD'
  range: StatementRange
  /** Business time. */
  madeAt: string
  openingMinor: number
  inMinor: number
  outMinor: number
  closingMinor: number
  /** How many lines it has, and in how many of them money came in. */
  count: number
  inCount: number
}

/** A statement's lines, oldest first, some at a time. */
export type StatementLines = AsyncIterable<StatementLine[]>

/** How many lines are in memory at a time. */
const AT_A_TIME = 100

type Asked = { accountId: string; range: StatementRange }

/**
 * What a statement comes to, of an account named as in contract/statements.ts. Throws Refusal `not_found`, and what
 * `periodOf` does.
 */
export async function summarise(
  deps: Pick<Deps, 'db' | 'clock'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  { accountId, range }: Asked,
): Promise<StatementSummary> {
  const period = periodOf(range, deps.clock.businessNow())
  const account = await findStated(deps, customer, accountId)
  const { openingMinor, inMinor, outMinor, count } = await sumPeriod(runIn(deps.db), account.accountId, period)
  const closingMinor = openingMinor + inMinor - outMinor
  return { asset: 'USD', openingMinor, inMinor, outMinor, closingMinor, count, tooLong: count > STATEMENT_LINES }
}

/** The same, with its lines, which are read as they are asked for. Throws Refusal `statement_too_long` too. */
export async function readStatement(
  deps: Pick<Deps, 'db' | 'clock' | 'translations' | 'config'>,
  customer: Pick<Customer, 'id' | 'currentAccountId' | 'fullName' | 'language'>,
  { accountId, range }: Asked,
): Promise<{ statement: Statement; lines: AsyncGenerator<StatementLine[]> }> {
  const now = deps.clock.businessNow()
  const dates = periodOf(range, now)
  const account = await findStated(deps, customer, accountId)
  const run = runIn(deps.db)
  const period = await readPeriod(run, account.accountId, dates, STATEMENT_LINES)
  if (period === null) throw new Refusal('statement_too_long')
  const say = deps.translations.in(customer.language)
  const { versions: _versions, ...sums } = period
  const statement: Statement = {
    language: say.language,
    holderName: customer.fullName,
    accountName: accountNameOf(say, account),
    accountNumber: accountNumberOf(deps.config, account.accountId),
    // What is sent to a card's own account comes back.
    routingNumber: account.kind === 'current' ? deps.config.routingNumber : null,
    asset: 'USD',
    range,
    madeAt: now.toISOString(),
    ...sums,
    closingMinor: period.openingMinor + period.inMinor - period.outMinor,
  }
  const booked = readLines(run, account.accountId, period, AT_A_TIME)
  return { statement, lines: someInWords(say, booked) }
}

async function* someInWords(say: Translator, booked: AsyncIterable<StatedLine[]>): AsyncGenerator<StatementLine[]> {
  for await (const some of booked) yield some.map((line) => inWords(say, line))
}

function accountNameOf({ i18n }: Translator, { kind, name, lastFour }: StatedAccount): string {
  if (kind === 'current') return i18n._({ id: 'statement.current_account', message: 'Current account' })
  return i18n._({
    id: 'statement.card_account',
    message: '{name} •••• {lastFour}',
    comment: "name: what a customer calls a card; lastFour: the card number's last digits",
    values: { name, lastFour },
  })
}

/**
 * What turns the letters behind it around, or steers a terminal. On a screen marks of direction keep a card's digits in order; in a
 * file, one that a payer wrote would turn around the amounts that stand after it.
 */
const STEERING = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu
const unsteered = (text: string): string => text.replaceAll(STEERING, '')

function inWords({ textOf }: Translator, line: StatedLine): StatementLine {
  const { originId, operationId, category, method, note, amountMinor, balanceAfterMinor, name } = line
  return {
    id: `${operationId.replaceAll('-', '')}.${line.leg}`,
    transactionId: transactionIdOf(originId),
    reference: referenceOf(originId),
    bookedAt: line.bookedAt.toISOString(),
    name: name ? unsteered(nameSaid(textOf, name)) : '',
    method: unsteered(methodSaid(textOf, method)),
    category: textOf('category', category ?? 'transfer'),
    note: unsteered(note ?? ''),
    purpose: category ?? 'transfer',
    methodCode: method?.code ?? null,
    label: name === null || name.code === 'name' ? null : name.code,
    amountMinor,
    balanceMinor: balanceAfterMinor,
  }
}
