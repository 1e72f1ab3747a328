import type { Selectable, Transaction } from 'kysely'
import type { AdvisorExchange, AdvisorStatement } from '#contract/advisor.ts'
import { EXCHANGES_KEPT } from '#contract/advisor-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type Advised, type FigureDeps, openFigures } from '#server/advisor/figures/figures.ts'
import { type HelperDeps, selectWithModel } from '#server/advisor/model/model-helper.ts'
import { readQuestion } from '#server/advisor/questions/read.ts'
import type { AdvisorAsk } from '#server/advisor/questions/selection.ts'
import { suggestionsAfter } from '#server/advisor/rules/suggestions.ts'
import { replyTo } from '#server/advisor/rules/answer.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

type Row = Selectable<Database['bank.advisor_exchange']>

/** The number of earlier questions that the model gets. */
const MAX_BEFORE = 6

/**
 * Answers a question to the advisor. The rules read it, and a model if the rules are uncertain. The rules find the figures and
 * word the reply. The work takes turns with other reads, except while it waits for a model. Throws Refusal `sign_in_required`
 * if the customer closes their account at this moment, `too_many_requests` if too many of the customer's requests wait, and
 * `unavailable` under heavy load.
 */
export async function askAdvisor(
  deps: FigureDeps & HelperDeps & Pick<Deps, 'concurrencyLimits'>,
  customer: Advised,
  question: string,
  key: RequestKey,
): Promise<AdvisorExchange> {
  const language = customer.language ?? SOURCE_LANGUAGE
  const figures = openFigures(deps, customer)
  const [names, rows] = await deps.concurrencyLimits.reads(customer.id, () =>
    Promise.all([figures.known(), rowsOf(deps, customer.id, MAX_BEFORE)]),
  )
  const before = rows.map((row) => ({ question: row.question, asks: row.asks as AdvisorAsk[] }))
  const context = { language, now: figures.now, known: names, before: before.at(-1)?.asks.at(-1) ?? null }
  const questionReading = await readQuestion(question, context, () =>
    selectWithModel(deps, customer.id, { question, before, language, now: figures.now }),
  )
  const statements = await deps.concurrencyLimits.reads(customer.id, () => replyTo(figures, questionReading))
  const { result: id } = await keepQuestion(deps, customer, { question, asks: questionReading.asks, statements }, key)
  return readExchange(deps, customer.id, id)
}

type StoredTurn = { question: string; asks: readonly AdvisorAsk[]; statements: readonly AdvisorStatement[] }

const keepQuestion = (
  deps: Pick<Deps, 'db' | 'clock'>,
  customer: Advised,
  { question, asks, statements }: StoredTurn,
  key: RequestKey,
) =>
  runOnce(deps, key, async (trx) => {
    // The lock makes concurrent questions of one customer run one after the other, so that the conversation keeps its limit.
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

/** Returns the latest exchanges, oldest first. */
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

/** Returns the stored conversation, oldest first. */
export const readConversation = async (deps: Pick<Deps, 'db'>, customerId: string): Promise<AdvisorExchange[]> =>
  (await rowsOf(deps, customerId, EXCHANGES_KEPT)).map(exchangeOf)

/** Returns one question with its reply. Throws Refusal `not_found`, also for another customer's. */
async function readExchange(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<AdvisorExchange> {
  const row = await deps.db
    .selectFrom('bank.advisor_exchange')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return exchangeOf(row)
}

const exchangeOf = (row: Row): AdvisorExchange => ({
  id: row.id,
  question: row.question,
  askedAt: row.asked_at.toISOString(),
  statements: row.statements as AdvisorStatement[],
  next: suggestionsAfter(row.asks as AdvisorAsk[], row.statements as AdvisorStatement[]),
})

/** Deletes the whole conversation. */
export async function clearConversation({ db }: Pick<Deps, 'db'>, customerId: string): Promise<void> {
  await db.deleteFrom('bank.advisor_exchange').where('customer_id', '=', customerId).execute()
}
