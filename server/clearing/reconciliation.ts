import type { Pool, PoolClient } from 'pg'
import type { Cell } from '#server/clearing/cells.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'

/** A comparison of the journal with a cell's books, in US cents. */
export type Reconciliation = {
  cell: string
  /** The cell's debt to the other cells: `owedMinor` by the cell's books, and `journalOwedMinor` by the journal. */
  owedMinor: number
  journalOwedMinor: number
  /** The cell's balance at the central bank: `centralMinor` by the cell's books, and `journalCentralMinor` by the journal. */
  centralMinor: number
  journalCentralMinor: number
  /**
   * Sentences about payments that the books and the journal have in different states, and about settlements that the cell has
   * not received.
   */
  differences: string[]
  /** The part of the difference between books and journal that `differences` does not explain, in US cents. */
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

/** The payments that may still change. Payments in a final settlement were compared before. */
const OPEN = `
  SELECT id, payout_id, sender, receiver, amount_minor, next_step, returned_reason, last_answer,
         settled_in IS NOT NULL AS is_settled, returned_in IS NOT NULL AS is_taken_back
    FROM clearing.payment
   WHERE (sender = $1 OR receiver = $1)
     AND (next_step <> 'none' OR (settled_in IS NULL) = (returned_reason IS NULL) AND returned_in IS NULL)
   ORDER BY accepted_at`

/**
 * The statuses in a bank's books at which a payment's money has passed through its clearing account: LEFT for a payout of the
 * sender, CAME for a transfer to the receiver.
 */
const LEFT: readonly string[] = ['settled', 'lost']
const CAME: readonly string[] = ['credited', 'held', 'kept']

/**
 * Compares each cell's clearing account and central bank account with the journal, and names the differences. A payment on its
 * way differs until both sides have booked it, so the result is most useful while no payment is on its way.
 */
export async function reconcile(journal: Pool, cells: readonly Cell[]): Promise<Reconciliation[]> {
  const compared: Reconciliation[] = []
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

async function compareCell(journal: Pool, cell: string, books: PoolClient): Promise<Reconciliation> {
  try {
    // The books are read in one snapshot, after the journal: a bank books a payment before the journal records it.
    const { rows: openPayments } = await journal.query<PaymentRow>(OPEN, [cell])
    const { rows: positions } = await journal.query<{ net_minor: number; is_told: boolean; day: string }>(
      `SELECT net_minor, told_at IS NOT NULL AS is_told, day
         FROM clearing.position JOIN clearing.settlement s ON s.id = settlement_id WHERE cell = $1`,
      [cell],
    )
    await books.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { owedMinor, centralMinor } = await standingOf(books)
    const statuses = await statusesIn(books, openPayments)
    const payments = openPayments.map((payment) => comparePayment(cell, payment, statuses))
    const untold = positions.filter(({ is_told: isTold }) => !isTold)
    const sum = (amounts: number[]) => amounts.reduce((total, minor) => total + minor, 0)
    const journalOwedMinor = sum(payments.map(({ journalMinor }) => journalMinor))
    const explainedMinor = sum(payments.map(({ booksMinor, journalMinor }) => booksMinor - journalMinor))
    const untoldMinor = sum(untold.map(({ net_minor: net }) => net))
    return {
      cell,
      owedMinor,
      journalOwedMinor,
      centralMinor,
      journalCentralMinor: sum(positions.map(({ net_minor: net }) => net)),
      differences: [
        ...payments.flatMap(({ difference }) => difference ?? []),
        ...untold.map(({ day }) => `the settlement of ${day}: ${cell} has not been notified`),
      ],
      unexplainedMinor: owedMinor - journalOwedMinor - explainedMinor + untoldMinor,
    }
  } finally {
    // Closing the connection ends its transaction.
    books.release(true)
  }
}

async function standingOf(books: PoolClient): Promise<Pick<Reconciliation, 'owedMinor' | 'centralMinor'>> {
  const ids = [bankAccount('ach_clearing'), bankAccount('settlement_account')]
  const [clearing, central] = await accountsById(runOn(books), ids)
  return { owedMinor: clearing?.balanceMinor ?? 0, centralMinor: 0 - (central?.balanceMinor ?? 0) }
}

async function statusesIn(books: PoolClient, payments: PaymentRow[]): Promise<Map<string, string>> {
  const { rows } = await books.query<{ id: string; status: string }>(
    `SELECT operation_id AS id, status FROM bank.payout WHERE operation_id = ANY ($1::uuid[])
     UNION ALL SELECT id, status FROM bank.incoming_transfer WHERE id = ANY ($2::uuid[])`,
    [payments.map((payment) => payment.payout_id), payments.map((payment) => payment.id)],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/**
 * A payment's effect on the cell's debt since the last settlement, by the books (`booksMinor`) and by the journal
 * (`journalMinor`).
 */
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
  // Until both sides have booked a payment or its return, the journal counts only the amount of an earlier settlement.
  const journalMinor = step === 'none' ? sign * (stands - settledMinor) : 0
  if (step === 'none' && booksMinor === journalMinor) return { booksMinor, journalMinor, difference: null }
  const journalSays = step === 'none' ? (reason === null ? 'settled' : 'returned') : `on its way (${step})`
  const lastAnswer = payment.last_answer === null ? '' : `; last answered: ${payment.last_answer}`
  const paymentKind = isSender ? 'payout' : 'transfer'
  return {
    booksMinor,
    journalMinor,
    difference: `${paymentKind} ${id} of ${amountMinor} cents: ${cell} says ${status}, the journal ${journalSays}${lastAnswer}`,
  }
}
