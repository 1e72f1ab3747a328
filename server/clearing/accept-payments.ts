import type { Pool } from 'pg'
import { z } from 'zod'
import { stripSeparators } from '#contract/bank-numbers.ts'
import { printedText } from '#contract/common.ts'
import {
  MAX_ACCOUNT_NUMBER,
  MAX_PAYER_NAME,
  SENT_BACK_REASONS,
  type SentBackReason,
  MAX_TRANSFER_MINOR,
} from '#contract/incoming-transfers.ts'
import type { ReturnReason } from '#contract/linked-accounts.ts'
import type { Cell } from '#server/clearing/cells.ts'
import { inJournal } from '#server/clearing/journal.ts'

/**
 * The HTTP status with which a provider answers a bank (docs/providers.md). 202 accepts the request, and 422 refuses it for
 * good. After any other status the bank repeats the request, and the money stays in its place until an operator has solved the
 * problem.
 */
export type ClearingStatus = 202 | 400 | 404 | 409 | 422

const id = z.uuid().toLowerCase()
const money = { amountMinor: z.int().positive().max(MAX_TRANSFER_MINOR), asset: z.literal('USD') }
/** The limits equal the receiver's own, because a payment that the receiver rejects could never be delivered. */
const payout = z.looseObject({
  id,
  ...money,
  payerName: printedText(MAX_PAYER_NAME),
  to: z.looseObject({ routingNumber: z.string(), accountNumber: printedText(MAX_ACCOUNT_NUMBER) }),
})
const sentBack = z.looseObject({ id, ...money, reason: z.enum(SENT_BACK_REASONS) })

type PaymentRow = { id: string; receiver: string; account_number: string; amount_minor: number }

/**
 * Accepts a cell's payout and stores it once under its id. Before the payout is stored, nothing else happens, so repeated and
 * concurrent requests are the same payment.
 */
export async function acceptPayout(
  pool: Pool,
  cells: readonly Cell[],
  sender: Cell,
  body: unknown,
): Promise<ClearingStatus> {
  const parsedId = id.safeParse((body as { id?: unknown } | undefined)?.id)
  const parsedPayout = payout.safeParse(body)
  // A repetition of an accepted payment with other content gets 409, not the final refusal 422. After a final refusal, the
  // sender would get back money that was already paid.
  if (!parsedId.success) return 400
  const earlierPayout = await findPayout(pool, sender, parsedId.data)
  if (earlierPayout) return parsedPayout.success && isSame(cells, earlierPayout, parsedPayout.data) ? 202 : 409
  const receiver = parsedPayout.success ? receiverOf(cells, parsedPayout.data) : undefined
  if (!parsedPayout.success || !receiver || receiver.name === sender.name) return 422
  const { amountMinor, payerName, to } = parsedPayout.data
  await pool.query(
    `INSERT INTO clearing.payment (sender, payout_id, receiver, account_number, payer_name, amount_minor)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (sender, payout_id) DO NOTHING`,
    [sender.name, parsedPayout.data.id, receiver.name, to.accountNumber, payerName, amountMinor],
  )
  // A concurrent request with the same id may have been stored first, with other terms.
  const row = await findPayout(pool, sender, parsedPayout.data.id)
  return row && isSame(cells, row, parsedPayout.data) ? 202 : 409
}

async function findPayout(pool: Pool, sender: Cell, payoutId: string): Promise<PaymentRow | undefined> {
  const { rows } = await pool.query<PaymentRow>(
    'SELECT id, receiver, account_number, amount_minor FROM clearing.payment WHERE sender = $1 AND payout_id = $2',
    [sender.name, payoutId],
  )
  return rows[0]
}

const receiverOf = (cells: readonly Cell[], { to }: z.infer<typeof payout>): Cell | undefined =>
  cells.find(({ routingNumber }) => routingNumber === stripSeparators(to.routingNumber))

/** The payer's name is not compared, because it may have changed between two tries. */
const isSame = (cells: readonly Cell[], row: PaymentRow, request: z.infer<typeof payout>): boolean =>
  row.receiver === receiverOf(cells, request)?.name &&
  row.account_number === request.to.accountNumber &&
  row.amount_minor === request.amountMinor

/** The reasons for a return as the sender's customer sees them. They must not reveal the payee's balance. */
const REASONS: Record<SentBackReason, ReturnReason> = {
  account_not_found: 'account_not_found',
  account_number_invalid: 'account_not_found',
  account_closed: 'account_closed',
  balance_limit: 'refused',
  unverified_limit: 'refused',
}

/**
 * Accepts once that a cell returns a payment that it received. The request proves that the cell received the payment, even if
 * the cell's earlier answer was lost. Any mismatch is left to the operator: the cell repeats the request and logs it.
 */
export function acceptReturn(pool: Pool, receiver: Cell, body: unknown): Promise<ClearingStatus> {
  return inJournal(pool, async (client) => {
    const parsedReturn = sentBack.safeParse(body)
    if (!parsedReturn.success) return 409
    const { rows } = await client.query<{ amount_minor: number; returned_reason: string | null }>(
      'SELECT amount_minor, returned_reason FROM clearing.payment WHERE id = $1 AND receiver = $2 FOR UPDATE',
      [parsedReturn.data.id, receiver.name],
    )
    const [payment] = rows
    if (!payment) return 404
    if (payment.amount_minor !== parsedReturn.data.amountMinor) return 409
    if (payment.returned_reason === null)
      await client.query(
        `UPDATE clearing.payment SET returned_reason = $2, next_step = 'tell_returned', next_at = now(), tries = 0 WHERE id = $1`,
        [parsedReturn.data.id, REASONS[parsedReturn.data.reason]],
      )
    return 202
  })
}
