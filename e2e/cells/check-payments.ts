import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { sign } from '#server/platform/signature.ts'
import { type BankCell, type Cells, runBankCommand, CELL_NAMES } from './bank-cells.ts'
import { askClearing } from './outside-bank.ts'
import type { CellCustomer } from './customers.ts'

/** A payment that its sender's bank has acknowledged. */
export type AcknowledgedPayment = { id: string; from: CellCustomer; to: CellCustomer; amountMinor: number }

type Journaled = {
  id: string
  sender: string
  payout_id: string
  receiver: string
  account_number: string
  payer_name: string
  /** A string, because PostgreSQL's driver returns a bigint as one. */
  amount_minor: string
  next_step: string
  returned_reason: string | null
}

async function rowsOf<Row>(pool: Pool, text: string, values: unknown[] = []): Promise<Row[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await pool.query(text, values)).rows as Row[]
    } catch (error) {
      if (tries === 100) throw error
      await sleep(200)
    }
  }
}

const count = async (pool: Pool, text: string): Promise<number> =>
  Number((await rowsOf<{ count: string }>(pool, `SELECT count(*) ${text}`))[0]?.count)

/** Returns the number of payments and notices of settlement that are still unfinished in the banks and the clearing. */
export async function countInFlight({ banks, journal }: Cells): Promise<number> {
  const counts = await Promise.all([
    count(journal, `FROM clearing.payment WHERE next_step <> 'none'`),
    count(journal, 'FROM clearing.position WHERE told_at IS NULL'),
    ...CELL_NAMES.flatMap((name) => [
      count(banks[name].books, `FROM bank.payout WHERE status = 'pending'`),
      count(banks[name].books, `FROM bank.incoming_transfer WHERE status = 'held'`),
    ]),
  ])
  return counts.reduce((sum, rows) => sum + rows, 0)
}

type ReservedRow = { holder_id: string; balance_minor: string; held_minor: string }

/** Returns each customer's balance in both cells, in cents, including the amounts set aside. */
export async function readBalances({ banks }: Cells): Promise<Map<string, number>> {
  const balances = new Map<string, number>()
  for (const name of CELL_NAMES) {
    const rows = await rowsOf<ReservedRow>(
      banks[name].books,
      `SELECT holder_id, balance_minor, held_minor FROM ledger.account WHERE holder_id IS NOT NULL AND asset = 'USD'`,
    )
    for (const { holder_id: id, balance_minor: minor } of rows)
      balances.set(id, (balances.get(id) ?? 0) + Number(minor))
  }
  return balances
}

export const sumBalances = (balances: Map<string, number>): number =>
  [...balances.values()].reduce((sum, balance) => sum + balance, 0)

const statusesOf = async (pool: Pool, text: string): Promise<Map<string, string>> =>
  new Map((await rowsOf<{ id: string; status: string }>(pool, text)).map(({ id, status }) => [id, status]))

type Outcomes = { arrived: number; returned: Record<string, number>; onTheirWay: number; wrong: string[] }

/**
 * Finds each payment in exactly one state: sent and received, returned with a reason, or still in flight. Checks each
 * customer's balance too: the earlier balance, less the payments that arrived elsewhere, plus the payments received.
 */
export async function findPayments(
  cells: Cells,
  payments: readonly AcknowledgedPayment[],
  balancesBefore: Map<string, number>,
): Promise<Outcomes> {
  const { banks, journal } = cells
  const journaledPayments = await rowsOf<Journaled>(journal, 'SELECT * FROM clearing.payment')
  const byPayout = new Map(journaledPayments.map((row) => [`${row.sender} ${row.payout_id}`, row]))
  const statuses = new Map<string, { payouts: Map<string, string>; transfers: Map<string, string> }>()
  for (const name of CELL_NAMES)
    statuses.set(name, {
      payouts: await statusesOf(banks[name].books, 'SELECT operation_id AS id, status FROM bank.payout'),
      transfers: await statusesOf(banks[name].books, 'SELECT id, status FROM bank.incoming_transfer'),
    })
  const outcomes: Outcomes = { arrived: 0, returned: {}, onTheirWay: 0, wrong: [] }
  const expectedBalances = new Map(balancesBefore)
  const move = (customer: CellCustomer, minor: number) =>
    expectedBalances.set(customer.customerId, (expectedBalances.get(customer.customerId) ?? 0) + minor)
  for (const { id, from, to, amountMinor } of payments) {
    const row = byPayout.get(`${from.bank.name} ${id}`)
    const payoutStatus = statuses.get(from.bank.name)?.payouts.get(id)
    const transferStatus = row && statuses.get(to.bank.name)?.transfers.get(row.id)
    const isAsSent = row?.amount_minor === String(amountMinor)
    if (payoutStatus === 'settled' && transferStatus === 'credited' && isAsSent && row?.next_step === 'none') {
      outcomes.arrived += 1
      move(from, -amountMinor)
      move(to, amountMinor)
    } else if (payoutStatus === 'returned' && transferStatus === 'returned' && row?.returned_reason)
      outcomes.returned[row.returned_reason] = (outcomes.returned[row.returned_reason] ?? 0) + 1
    else if (payoutStatus === 'pending' || (row && row.next_step !== 'none')) outcomes.onTheirWay += 1
    else
      outcomes.wrong.push(
        `payout ${id}: its sender says ${payoutStatus}, its receiver ${transferStatus}, the journal ${row?.next_step}`,
      )
  }
  if (new Set(payments.map(({ id }) => id)).size !== payments.length) outcomes.wrong.push('two payments are one')
  const currentBalances = await readBalances(cells)
  for (const [id, minor] of expectedBalances)
    if (outcomes.onTheirWay === 0 && currentBalances.get(id) !== minor)
      outcomes.wrong.push(`customer ${id} has ${currentBalances.get(id)} cents instead of ${minor}`)
  return outcomes
}

/** Returns the faults in the books, by the clearing's comparison and by each bank's own proof. */
export async function findInBooks(cells: Cells): Promise<string[]> {
  const comparison = await runBankCommand(['server/cli/clearing.ts', cells.file, '--compare'])
  const faults = comparison.code === 0 ? [] : [comparison.output]
  for (const name of CELL_NAMES) {
    const books = await runBankCommand(['server/cli/books.ts', '--all'], cells.banks[name].env)
    if (books.code !== 0) faults.push(`${name}: ${books.output}`)
  }
  return faults
}

/** Returns a bank's debt in its clearing account and its balance at the central bank, in cents. */
export async function readClearingPosition({ books }: BankCell): Promise<{ owedMinor: number; centralMinor: number }> {
  const rows = await rowsOf<{ code: string; balance_minor: string }>(
    books,
    `SELECT code, balance_minor FROM ledger.account WHERE code IN ('ach_clearing', 'settlement_account')`,
  )
  const balanceOf = (code: string) => Number(rows.find((row) => row.code === code)?.balance_minor)
  return { owedMinor: balanceOf('ach_clearing'), centralMinor: 0 - balanceOf('settlement_account') }
}

async function notifyBank({ hooksUrl, secret }: BankCell, event: object): Promise<number> {
  const body = JSON.stringify(event)
  const { timestamp, signature } = sign(secret, body, new Date())
  const headers = { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature }
  const response = await fetch(hooksUrl, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

/**
 * Sends messages that a broken or hostile participant could send. None may change anything. Returns the messages with an
 * unexpected response.
 */
export async function sendInvalidMessages(cells: Cells): Promise<string[]> {
  const { banks, clearingUrl, journal } = cells
  const faults: string[] = []
  const expect = (label: string, status: number | null, expectedStatus: number) => {
    if (status !== expectedStatus) faults.push(`${label}: ${status} instead of ${expectedStatus}`)
  }
  const countReturned = `SELECT * FROM clearing.payment WHERE sender = 'north' AND returned_reason IS`
  const arrivedPayments = await rowsOf<Journaled>(journal, `${countReturned} NULL ORDER BY random() LIMIT 10`)
  const returnedPayments = await rowsOf<Journaled>(journal, `${countReturned} NOT NULL ORDER BY random() LIMIT 5`)
  for (const row of [...arrivedPayments, ...returnedPayments]) {
    const amountMinor = Number(row.amount_minor)
    const money = { amountMinor, asset: 'USD' }
    const payerFields = { accountNumber: row.account_number, payerName: row.payer_name }
    const transferEvent = { type: 'transfer.received', id: row.id, ...money, ...payerFields }
    expect('a transfer again', await notifyBank(banks.south, { eventId: `${row.id}:deliver`, ...transferEvent }), 200)
    expect('by another name', await notifyBank(banks.south, { eventId: `${row.id}:again`, ...transferEvent }), 200)
    const largerTransfer = { ...transferEvent, amountMinor: amountMinor + 1, eventId: `${row.id}:more` }
    expect('a transfer of more', await notifyBank(banks.south, largerTransfer), 422)
    const settledEvent = { eventId: `${row.id}:late`, type: 'payout.settled', id: row.payout_id, ...money }
    expect('settled again, also after it came back', await notifyBank(banks.north, settledEvent), 200)
    const recipientAccount = {
      routingNumber: banks.south.routingNumber,
      accountNumber: row.account_number,
      holderName: 'X',
    }
    const payout = { id: row.payout_id, ...money, payerName: 'Somebody', to: recipientAccount }
    const ask = (message: object, secret = banks.north.secret, path = 'payouts') =>
      askClearing(`${clearingUrl}/north`, secret, path, message)
    expect('a payout again', await ask(payout), 202)
    expect('of another amount', await ask({ ...payout, amountMinor: amountMinor + 1 }), 409)
    expect(
      'to another account',
      await ask({ ...payout, to: { ...recipientAccount, accountNumber: '123456789012' } }),
      409,
    )
    expect('to another bank', await ask({ ...payout, to: { ...recipientAccount, routingNumber: '026009593' } }), 409)
    expect('in no words', await ask({ id: row.payout_id }), 409)
    expect('signed by the other cell', await ask(payout, banks.south.secret), 401)
    const returnMessage = { id: row.id, ...money, reason: 'account_closed' }
    expect('a return by its sender', await ask(returnMessage, banks.north.secret, 'returns'), 404)
    const largerReturn = { ...returnMessage, amountMinor: amountMinor + 1 }
    expect(
      'a return of more',
      await askClearing(`${clearingUrl}/south`, banks.south.secret, 'returns', largerReturn),
      409,
    )
  }
  return faults
}
