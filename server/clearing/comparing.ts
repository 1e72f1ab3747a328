import type { Pool, PoolClient } from 'pg'
import type { Cell } from '#server/clearing/cells.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'

/** What the journal says of a cell, and what the cell's books say: US cents. */
export type Compared = {
  cell: string
  /** What the cell owes the others, by its books and by the journal. */
  owedMinor: number
  journalOwedMinor: number
  /** What it has at the central bank. */
  centralMinor: number
  journalCentralMinor: number
  /** Payments of which the two say different things, and settlements that the cell has not been told of. */
  differences: string[]
  /** How much of the difference between the two they do not explain. */
  unexplainedMinor: number
}

type PaymentRow = {
  id: string
  payout_id: string
  sender: string
  receiver: string
  amount_minor: number
  next_step: string
  returned_reason: string | null
  last_answer: string | null
  is_settled: boolean
  is_taken_back: boolean
}

/** Everything but what is in a settlement for good: that has been compared before. */
const OPEN = `
  SELECT id, payout_id, sender, receiver, amount_minor, next_step, returned_reason, last_answer,
         settled_in IS NOT NULL AS is_settled, returned_in IS NOT NULL AS is_taken_back
    FROM clearing.payment
   WHERE (sender = $1 OR receiver = $1)
     AND (next_step <> 'none' OR (settled_in IS NULL) = (returned_reason IS NULL) AND returned_in IS NULL)
   ORDER BY accepted_at`

/** By which statuses of a bank's row the money of a payment stands in its clearing account. */
const LEFT: readonly string[] = ['settled', 'lost']
const CAME: readonly string[] = ['credited', 'held', 'kept']

/**
 * Compares each cell's clearing account and account at the central bank with the journal, and names what differs. Payments that are
 * on their way differ until both sides know the same, so it says the most while none is.
 */
export async function compare(journal: Pool, cells: readonly Cell[]): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const cell of cells) {
    if (cell.databaseUrl === undefined) continue
    const books = openPool(cell.databaseUrl, { max: 1, name: 'alder clearing' })
    try {
      compared.push(await compareCell(journal, cell.name, await books.connect()))
    } finally {
      await books.end()
    }
  }
  return compared
}

async function compareCell(journal: Pool, cell: string, books: PoolClient): Promise<Compared> {
  try {
    // Of one instant, and after the journal: what a bank does it does before the journal knows.
    const { rows: open } = await journal.query<PaymentRow>(OPEN, [cell])
    const { rows: positions } = await journal.query<{ net_minor: number; is_told: boolean; day: string }>(
      `SELECT net_minor, told_at IS NOT NULL AS is_told, day
         FROM clearing.position JOIN clearing.settlement s ON s.id = settlement_id WHERE cell = $1`,
      [cell],
    )
    await books.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { owedMinor, centralMinor } = await standingOf(books)
    const statuses = await statusesIn(books, open)
    const payments = open.map((payment) => comparePayment(cell, payment, statuses))
    const untold = positions.filter(({ is_told: isTold }) => !isTold)
    const sum = (amounts: number[]) => amounts.reduce((total, one) => total + one, 0)
    const journalOwedMinor = sum(payments.map(({ journalMinor }) => journalMinor))
    const explained = sum(payments.map(({ booksMinor, journalMinor }) => booksMinor - journalMinor))
    const waiting = sum(untold.map(({ net_minor: net }) => net))
    return {
      cell,
      owedMinor,
      journalOwedMinor,
      centralMinor,
      journalCentralMinor: sum(positions.map(({ net_minor: net }) => net)),
      differences: [
        ...payments.flatMap(({ difference }) => difference ?? []),
        ...untold.map(({ day }) => `the settlement of ${day}: ${cell} has not been told`),
      ],
      unexplainedMinor: owedMinor - journalOwedMinor - explained + waiting,
    }
  } finally {
    // With its transaction.
    books.release(true)
  }
}

async function standingOf(books: PoolClient): Promise<Pick<Compared, 'owedMinor' | 'centralMinor'>> {
  const ids = [bankAccount('ach_clearing'), bankAccount('settlement_account')]
  const [clearing, central] = await accountsById(runOn(books), ids)
  return { owedMinor: clearing?.balanceMinor ?? 0, centralMinor: 0 - (central?.balanceMinor ?? 0) }
}

async function statusesIn(books: PoolClient, payments: PaymentRow[]): Promise<Map<string, string>> {
  const { rows } = await books.query<{ id: string; status: string }>(
    `SELECT operation_id AS id, status FROM bank.payout WHERE operation_id = ANY ($1::uuid[])
     UNION ALL SELECT id, status FROM bank.incoming_transfer WHERE id = ANY ($2::uuid[])`,
    [payments.map((one) => one.payout_id), payments.map((one) => one.id)],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** `booksMinor`, `journalMinor`: by how much it changes what the cell owes, since the last settlement. */
type ComparedPayment = { booksMinor: number; journalMinor: number; difference: string | null }

function comparePayment(cell: string, payment: PaymentRow, statuses: Map<string, string>): ComparedPayment {
  const { sender, amount_minor: amountMinor, next_step: step, returned_reason: reason } = payment
  const isSender = sender === cell
  const id = isSender ? payment.payout_id : payment.id
  const status = statuses.get(id) ?? 'unknown'
  const settledMinor = payment.is_settled && !payment.is_taken_back ? amountMinor : 0
  const sign = isSender ? 1 : -1
  const booksMinor = sign * (((isSender ? LEFT : CAME).includes(status) ? amountMinor : 0) - settledMinor)
  const stands = step === 'none' && reason === null ? amountMinor : 0
  // Until both know of a return, the journal goes by what was settled.
  const journalMinor = step === 'none' ? sign * (stands - settledMinor) : 0
  if (step === 'none' && booksMinor === journalMinor) return { booksMinor, journalMinor, difference: null }
  const journalSays = step === 'none' ? (reason === null ? 'settled' : 'returned') : `on its way (${step})`
  const answered = payment.last_answer === null ? '' : `; last answered: ${payment.last_answer}`
  const what = isSender ? 'payout' : 'transfer'
  return {
    booksMinor,
    journalMinor,
    difference: `${what} ${id} of ${amountMinor} cents: ${cell} says ${status}, the journal ${journalSays}${answered}`,
  }
}
