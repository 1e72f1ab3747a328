import type { Selectable, Transaction } from 'kysely'
import type { Exchange, Statement } from '#contract/advisor.ts'
import { EXCHANGES_KEPT } from '#contract/advisor-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type Advised, type FigureDeps, openFigures } from '#server/advisor/figures/figures.ts'
import { type HelperDeps, selectedBy } from '#server/advisor/model/helper.ts'
import { readQuestion } from '#server/advisor/questions/read.ts'
import type { Ask } from '#server/advisor/questions/selection.ts'
import { offeredAfter } from '#server/advisor/rules/offered.ts'
import { replyTo } from '#server/advisor/rules/answer.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'

type Row = Selectable<Database['bank.advisor_exchange']>

/** How many of the questions before one a model is given. */
const BEFORE_MOST = 6

/**
 * Asks the advisor. What is asked is read by the rules, and where they are not certain by a model; the rules find the figures and
 * word the reply. It takes turns with those who read, but for as long as a model is waited for. Throws Refusal `sign_in_required`
 * for a customer who has closed at this moment, and `unavailable` where too many read.
 */
export async function ask(
  deps: FigureDeps & HelperDeps & Pick<Deps, 'shares'>,
  customer: Advised,
  question: string,
  key: RequestKey,
): Promise<Exchange> {
  const language = customer.language ?? SOURCE_LANGUAGE
  const figures = openFigures(deps, customer)
  const [known, rows] = await deps.shares.reads(customer.id, () =>
    Promise.all([figures.known(), rowsOf(deps, customer.id, BEFORE_MOST)]),
  )
  const before = rows.map((row) => ({ question: row.question, asks: row.asks as Ask[] }))
  const asking = { language, now: figures.now, known, before: before.at(-1)?.asks.at(-1) ?? null }
  const read = await readQuestion(question, asking, () =>
    selectedBy(deps, customer.id, { question, before, language, now: figures.now }),
  )
  const statements = await deps.shares.reads(customer.id, () => replyTo(figures, read))
  const { result: id } = await keepQuestion(deps, customer, { question, asks: read.asks, statements }, key)
  return readExchange(deps, customer.id, id)
}

type Kept = { question: string; asks: readonly Ask[]; statements: readonly Statement[] }

const keepQuestion = (
  deps: Pick<Deps, 'db' | 'clock'>,
  customer: Advised,
  { question, asks, statements }: Kept,
  key: RequestKey,
) =>
  once(deps, key, async (trx) => {
    // Whoever asks twice at once waits, so that no more is kept than should be.
    await lockOpenCustomer(trx, customer.id)
    const row = await trx
      .insertInto('bank.advisor_exchange')
      .values({
        customer_id: customer.id,
        question,
        asked_at: deps.clock.businessNow(),
        asks: JSON.stringify(asks),
        statements: JSON.stringify(statements),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await dropOldest(trx, customer.id)
    return row.id
  })

async function dropOldest(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .deleteFrom('bank.advisor_exchange')
    .where('customer_id', '=', customerId)
    .where('place', '<=', ({ selectFrom }) =>
      selectFrom('bank.advisor_exchange')
        .select('place')
        .where('customer_id', '=', customerId)
        .orderBy('place', 'desc')
        .offset(EXCHANGES_KEPT)
        .limit(1),
    )
    .execute()
}

/** The latest ones, the oldest of them first. */
async function rowsOf({ db }: Pick<Deps, 'db'>, customerId: string, limit: number): Promise<Row[]> {
  const rows = await db
    .selectFrom('bank.advisor_exchange')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

/** The conversation as it is kept, the oldest first. */
export const readConversation = async (deps: Pick<Deps, 'db'>, customerId: string): Promise<Exchange[]> =>
  (await rowsOf(deps, customerId, EXCHANGES_KEPT)).map(shown)

/** One question with its reply. Throws Refusal `not_found`, for another customer's too. */
async function readExchange(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Exchange> {
  const row = await deps.db
    .selectFrom('bank.advisor_exchange')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return shown(row)
}

const shown = (row: Row): Exchange => ({
  id: row.id,
  question: row.question,
  askedAt: row.asked_at.toISOString(),
  statements: row.statements as Statement[],
  next: offeredAfter(row.asks as Ask[], row.statements as Statement[]),
})

/** Forgets the whole conversation. */
export async function clearConversation({ db }: Pick<Deps, 'db'>, customerId: string): Promise<void> {
  await db.deleteFrom('bank.advisor_exchange').where('customer_id', '=', customerId).execute()
}
