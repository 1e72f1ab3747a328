import type { Pool } from 'pg'
import { z } from 'zod'
import { digitsOf } from '#contract/bank-numbers.ts'
import { printedText } from '#contract/common.ts'
import {
  ACCOUNT_NUMBER_MOST,
  PAYER_NAME_MOST,
  SENT_BACK_REASONS,
  type SentBackReason,
  TRANSFER_MOST_MINOR,
} from '#contract/incoming-transfers.ts'
import type { ReturnReason } from '#contract/linked-accounts.ts'
import type { Cell } from '#server/clearing/cells.ts'
import { inJournal } from '#server/clearing/journal.ts'

/**
 * How a provider answers a bank (docs/operations.md): it will be done, never, or not as it was asked: then the bank asks again, and
 * money stays where it is until somebody has looked.
 */
export type Answer = 202 | 400 | 404 | 409 | 422

const id = z.uuid().toLowerCase()
const money = { amountMinor: z.int().positive().max(TRANSFER_MOST_MINOR), asset: z.literal('USD') }
/** Held to what the receiver accepts: what it would refuse could never be delivered. */
const payout = z.looseObject({
  id,
  ...money,
  payerName: printedText(PAYER_NAME_MOST),
  to: z.looseObject({ routingNumber: z.string(), accountNumber: printedText(ACCOUNT_NUMBER_MOST) }),
})
const sentBack = z.looseObject({ id, ...money, reason: z.enum(SENT_BACK_REASONS) })

type PaymentRow = { id: string; receiver: string; account_number: string; amount_minor: number }

/**
 * A cell asks to pay out: written down once for its id. Nothing is done before that is committed, so asking again, however often
 * and at the same moment, is the same payment.
 */
export async function acceptPayout(pool: Pool, cells: readonly Cell[], sender: Cell, asked: unknown): Promise<Answer> {
  const known = id.safeParse((asked as { id?: unknown } | undefined)?.id)
  const read = payout.safeParse(asked)
  // To refuse for good what was accepted before, in whatever words, would give the sender money back that was paid.
  if (!known.success) return 400
  const earlier = await findPayout(pool, sender, known.data)
  if (earlier) return read.success && isSame(cells, earlier, read.data) ? 202 : 409
  const receiver = read.success ? receiverOf(cells, read.data) : undefined
  if (!read.success || !receiver || receiver.name === sender.name) return 422
  const { amountMinor, payerName, to } = read.data
  await pool.query(
    `INSERT INTO clearing.payment (sender, payout_id, receiver, account_number, payer_name, amount_minor)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (sender, payout_id) DO NOTHING`,
    [sender.name, read.data.id, receiver.name, to.accountNumber, payerName, amountMinor],
  )
  // Another request may have been first, with other terms.
  const written = await findPayout(pool, sender, read.data.id)
  return written && isSame(cells, written, read.data) ? 202 : 409
}

async function findPayout(pool: Pool, sender: Cell, payoutId: string): Promise<PaymentRow | undefined> {
  const { rows } = await pool.query<PaymentRow>(
    'SELECT id, receiver, account_number, amount_minor FROM clearing.payment WHERE sender = $1 AND payout_id = $2',
    [sender.name, payoutId],
  )
  return rows[0]
}

const receiverOf = (cells: readonly Cell[], { to }: z.infer<typeof payout>): Cell | undefined =>
  cells.find(({ routingNumber }) => routingNumber === digitsOf(to.routingNumber))

/** The payer's name is left out: they may have changed it between two tries. */
const isSame = (cells: readonly Cell[], row: PaymentRow, asked: z.infer<typeof payout>): boolean =>
  row.receiver === receiverOf(cells, asked)?.name &&
  row.account_number === asked.to.accountNumber &&
  row.amount_minor === asked.amountMinor

/** As a sender's customer reads it: they need not learn how much the payee has. */
const REASONS: Record<SentBackReason, ReturnReason> = {
  account_not_found: 'account_not_found',
  account_number_invalid: 'account_not_found',
  account_closed: 'account_closed',
  balance_limit: 'refused',
  unverified_limit: 'refused',
}

/**
 * A cell sends back what it was paid, once. That it was told of the payment follows from its asking, even if its answer got
 * lost. Whatever does not fit is left to the operator: the cell asks again, and names it.
 */
export function acceptReturn(pool: Pool, receiver: Cell, asked: unknown): Promise<Answer> {
  return inJournal(pool, async (client) => {
    const read = sentBack.safeParse(asked)
    if (!read.success) return 409
    const { rows } = await client.query<{ amount_minor: number; returned_reason: string | null }>(
      'SELECT amount_minor, returned_reason FROM clearing.payment WHERE id = $1 AND receiver = $2 FOR UPDATE',
      [read.data.id, receiver.name],
    )
    const [payment] = rows
    if (!payment) return 404
    if (payment.amount_minor !== read.data.amountMinor) return 409
    if (payment.returned_reason === null)
      await client.query(
        `UPDATE clearing.payment SET returned_reason = $2, next_step = 'tell_returned', next_at = now(), tries = 0 WHERE id = $1`,
        [read.data.id, REASONS[read.data.reason]],
      )
    return 202
  })
}
