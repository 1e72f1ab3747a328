import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Cell } from '#server/clearing/cells.ts'
import { realNow } from '#server/platform/clock.ts'
import { sign } from '#server/platform/signature.ts'

/** The maximum number of events sent to one cell at the same time. */
const AT_ONCE = 8
const PATIENCE_MS = 10_000
/** The interval between two searches for events that are due, in milliseconds. */
const LOOK_MS = 250
const LONGEST_PAUSE_S = 30

/** The content of an event, without its id and amount. */
type ClearingEvent = { type: string; id: string; [more: string]: unknown }

type Step = {
  table: 'payment' | 'position'
  id: string
  step: string
  tries: number
  event: ClearingEvent & { eventId: string; amountMinor: number }
}

/** The SQL that selects the events due for one cell, the longest overdue first. */
const DUE = `
  (SELECT 'payment' AS kind, id, next_step AS step, payout_id, account_number, payer_name, amount_minor, returned_reason, tries, next_at
     FROM clearing.payment WHERE waits_for = $1 AND next_step <> 'none' AND next_at <= now() ORDER BY next_at LIMIT ${AT_ONCE})
  UNION ALL
  (SELECT 'position', id, 'settle', NULL, NULL, NULL, net_minor, NULL, tries, next_at
     FROM clearing.position WHERE cell = $1 AND told_at IS NULL AND next_at <= now() ORDER BY next_at LIMIT ${AT_ONCE})
  ORDER BY next_at LIMIT ${AT_ONCE}`

type DueRow = {
  kind: Step['table']
  id: string
  step: string
  payout_id: string
  account_number: string
  payer_name: string
  amount_minor: number
  returned_reason: string | null
  tries: number
}

/** Returns the event for a row's next step. The same step always has the same event id. */
function stepOf(row: DueRow): Step {
  const { kind: table, id, step, tries, payout_id: payoutId, amount_minor: amountMinor } = row
  const stepWith = (event: ClearingEvent): Step => ({
    table,
    id,
    step,
    tries,
    event: { eventId: `${id}:${step}`, amountMinor: Math.abs(amountMinor), asset: 'USD', ...event },
  })
  if (step === 'deliver')
    return stepWith({ type: 'transfer.received', id, accountNumber: row.account_number, payerName: row.payer_name })
  if (step === 'tell_settled') return stepWith({ type: 'payout.settled', id: payoutId })
  if (step === 'tell_returned') return stepWith({ type: 'payout.returned', id: payoutId, reason: row.returned_reason })
  return stepWith({ type: amountMinor > 0 ? 'settlement.received' : 'settlement.paid', id })
}

/** Sends one event to a cell and returns the answer. Only status 200 confirms the event; any other answer is tried again. */
async function deliver({ hooksUrl, secret }: Cell, event: object): Promise<string> {
  const body = JSON.stringify(event)
  const { timestamp, signature } = sign(secret, body, realNow())
  try {
    const response = await fetch(hooksUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (response.status !== 200) return `${response.status} ${await beginningOf(response)}`
    await response.body?.cancel()
    return 'done'
  } catch (error) {
    return `no answer: ${(error as Error).message}`
  }
}

const SAID_BYTES = 200

/** Returns the beginning of an answer as one line. An answer may be endless, and PostgreSQL cannot store U+0000. */
async function beginningOf({ body }: Response): Promise<string> {
  let notified = Buffer.alloc(0)
  for await (const part of body ?? []) {
    notified = Buffer.concat([notified, part])
    if (notified.length >= SAID_BYTES) break
  }
  return notified.toString('utf8', 0, SAID_BYTES).replaceAll(/\p{Cc}+/gu, ' ')
}

/**
 * The SQL updates after a delivered event. An update only applies if the delivered step is still the row's next step, because a
 * return may have arrived meanwhile.
 */
const DONE = {
  payment: `
    UPDATE clearing.payment SET next_step = CASE next_step WHEN 'deliver' THEN 'tell_settled' ELSE 'none' END,
           next_at = now(), tries = 0, last_answer = NULL
     WHERE id = $1 AND next_step = $2`,
  position: `UPDATE clearing.position SET told_at = now(), last_answer = NULL WHERE id = $1 AND told_at IS NULL AND $2 = 'settle'`,
} as const

async function take(pool: Pool, cell: Cell, { table, id, step, tries, event }: Step): Promise<string> {
  const answer = await deliver(cell, event)
  if (answer === 'done') await pool.query(DONE[table], [id, step])
  else {
    const pauseS = Math.min(0.2 * 2 ** Math.min(tries, 16), LONGEST_PAUSE_S)
    const stands = table === 'payment' ? 'next_step = $4' : `told_at IS NULL AND $4 = 'settle'`
    await pool.query(
      `UPDATE clearing.${table} SET tries = tries + 1, last_answer = $3, next_at = now() + $2 * interval '1 second'
        WHERE id = $1 AND ${stands}`,
      [id, pauseS, answer, step],
    )
  }
  return answer
}

type Delivery = {
  /** Starts a search at once, because a new event may be due. */
  call(): void
  stop(): Promise<void>
}

/**
 * Sends each cell its due events independently of the other cells, so that an unreachable cell does not delay them. `report`
 * receives messages for the operator.
 */
export function startEventDelivery(pool: Pool, cells: readonly Cell[], report: (sentence: string) => void): Delivery {
  let isGoing = true
  let called = Promise.withResolvers<void>()
  /** The last answer of each cell, by the cell's name. A problem is thus reported once and not after each try. */
  const troubles = new Map<string, string>()
  const note = (name: string, trouble: string): void => {
    if (troubles.get(name) !== trouble && trouble !== 'done') report(`${name}: ${trouble}`)
    troubles.set(name, trouble)
  }
  const work = async (cell: Cell): Promise<void> => {
    while (isGoing) {
      const next = called.promise
      try {
        const { rows } = await pool.query<DueRow>(DUE, [cell.name])
        const answers = await Promise.all(rows.map((row) => take(pool, cell, stepOf(row))))
        if (rows.length > 0) {
          note(cell.name, answers.find((answer) => answer !== 'done') ?? 'done')
          continue
        }
      } catch (error) {
        note(cell.name, `the journal: ${(error as Error).message}`)
      }
      await Promise.race([next, sleep(LOOK_MS)])
    }
  }
  const working = Promise.all(cells.map(work))
  const call = (): void => {
    called.resolve()
    called = Promise.withResolvers()
  }
  return {
    call,
    stop: async () => {
      isGoing = false
      call()
      await working
    },
  }
}
