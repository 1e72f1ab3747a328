import type { Selectable, Transaction } from 'kysely'
import type { AdvisedLink, Exchange, Statement } from '#contract/advisor.ts'
import { EXCHANGES_KEPT } from '#contract/advisor-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import { type Advised, type FigureDeps, openFigures } from '#server/advisor/figures/figures.ts'
import { mayWrite, startWriting, type WriterDeps } from '#server/advisor/model/writer.ts'
import { ruledReply } from '#server/advisor/rules/answer.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'

type Row = Selectable<Database['bank.advisor_exchange']>

/** How many of the exchanges before a question a model is given. */
const BEFORE_MOST = 6

/**
 * Asks the advisor. What the rules reply is there at once and stays; where a model is to word it, that follows, and counts
 * only once it has come to its end. Throws Refusal `sign_in_required` for a customer who has closed at this moment.
 */
export async function ask(
  deps: FigureDeps & WriterDeps,
  customer: Advised,
  question: string,
  key: RequestKey,
): Promise<Exchange> {
  const language = customer.language ?? SOURCE_LANGUAGE
  const figures = openFigures(deps, customer)
  const statements = await ruledReply(figures, question, language)
  const writes = await mayWrite(deps, customer.id)
  const { result: id, replayed } = await keepQuestion(deps, customer, { question, statements, writes }, key).catch(
    (error: unknown) => {
      // Nothing is begun, so nobody else would give the place back.
      writes?.release()
      throw error
    },
  )
  if (replayed) writes?.release()
  else if (writes)
    startWriting(deps, writes, { id, question, language, figures, before: () => saidBefore(deps, customer.id, id) })
  return readExchange(deps, customer.id, id)
}

type Kept = { question: string; statements: readonly Statement[]; writes: { until: Date } | null }

const keepQuestion = (
  deps: Pick<Deps, 'db' | 'clock'>,
  customer: Advised,
  { question, statements, writes }: Kept,
  key: RequestKey,
) =>
  once(deps, key, async (trx) => {
    // Whoever asks twice at once waits, so that no more is kept than should be.
    if (!(await lockCustomer(trx, customer.id))) throw new Refusal('sign_in_required')
    const row = await trx
      .insertInto('bank.advisor_exchange')
      .values({
        customer_id: customer.id,
        question,
        asked_at: deps.clock.businessNow(),
        statements: JSON.stringify(statements),
        writes_until: writes ? writes.until : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await dropOldest(trx, customer.id)
    return row.id
  })

/** What was said before that question, the oldest first. */
async function saidBefore(deps: Pick<Deps, 'db'>, customerId: string, id: string) {
  const rows = await rowsOf(deps, customerId, BEFORE_MOST + 1)
  return rows.filter((row) => row.id !== id).map(saidIn)
}

const saidIn = (row: Row) => ({ question: row.question, prose: row.writes_until === null ? row.prose : null })

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
export async function readConversation(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<Exchange[]> {
  const now = deps.clock.realNow()
  return (await rowsOf(deps, customerId, EXCHANGES_KEPT)).map((row) => shown(row, now))
}

/** One question with its reply as far as it is written. Throws Refusal `not_found`, for another customer's too. */
export async function readExchange(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  id: string,
): Promise<Exchange> {
  const row = await deps.db
    .selectFrom('bank.advisor_exchange')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return shown(row, deps.clock.realNow())
}

function shown(row: Row, now: Date): Exchange {
  const writing = row.writes_until !== null && row.writes_until > now
  // What was never finished, because its server is gone, say, was not checked to its end.
  const prose = row.writes_until === null || writing ? row.prose : null
  return {
    id: row.id,
    question: row.question,
    askedAt: row.asked_at.toISOString(),
    writing,
    prose,
    statements: prose !== null || writing ? [] : (row.statements as Statement[]),
    links: prose === null ? [] : (row.links as AdvisedLink[]),
  }
}

/** Forgets the whole conversation. */
export async function clearConversation({ db }: Pick<Deps, 'db'>, customerId: string): Promise<void> {
  await db.deleteFrom('bank.advisor_exchange').where('customer_id', '=', customerId).execute()
}
