import type { Bank } from '#server/bank.ts'
import type { Run } from '#server/db/run.ts'
import { digestOf, digestOfGiven, newToken } from '#server/identity/token.ts'

/**
 * What a ticket is for, and how long it lasts, in milliseconds of real time. The token of one kind is worth nothing as
 * another.
 */
export const LIFETIMES = {
  second_factor: 10 * 60_000,
  passkey_sign_in: 5 * 60_000,
  passkey_new: 5 * 60_000,
  two_factor_setup: 15 * 60_000,
  password: 30 * 60_000,
  email: 24 * 60 * 60_000,
  step_up: 5 * 60_000,
} as const
export type TicketKind = keyof typeof LIFETIMES

export type Ticket<Content> = { customerId: string | null; content: Content }

/**
 * Issues something that works once: the token (256 random bits) is answered and only its digest is kept. Whoever comes
 * clears a few tickets away that nobody used in time.
 */
export async function issueTicket(
  bank: Pick<Bank, 'clock'>,
  run: Run,
  kind: TicketKind,
  { customerId, content }: Ticket<object>,
): Promise<string> {
  const token = newToken()
  const now = bank.clock.realNow()
  await run(
    `WITH late AS (SELECT token_hash FROM bank.ticket WHERE expires_at <= $1 LIMIT 10 FOR UPDATE SKIP LOCKED)
     DELETE FROM bank.ticket WHERE token_hash IN (SELECT token_hash FROM late)`,
    [now],
  )
  await run(
    `INSERT INTO bank.ticket (token_hash, kind, customer_id, content, expires_at) VALUES ($1, $2, $3, $4, $5)`,
    [digestOf(token), kind, customerId, JSON.stringify(content), new Date(now.getTime() + LIFETIMES[kind])],
  )
  return token
}

function ticketOf<Content>(row: Record<string, unknown> | undefined): Ticket<Content> | null {
  return row ? { customerId: row['customer_id'] as string | null, content: row['content'] as Content } : null
}

/** Takes a ticket away and answers what it was for, or null where there is none (any more). Of many who try, one gets it. */
export async function takeTicket<Content>(
  bank: Pick<Bank, 'clock'>,
  run: Run,
  kind: TicketKind,
  token: string,
): Promise<Ticket<Content> | null> {
  const digest = digestOfGiven(token)
  if (!digest) return null
  const { rows } = await run(
    `DELETE FROM bank.ticket WHERE token_hash = $1 AND kind = $2 AND expires_at > $3 RETURNING customer_id, content`,
    [digest, kind, bank.clock.realNow()],
  )
  return ticketOf<Content>(rows[0])
}

/** What a ticket is for, left in its place; null where there is none. */
export async function readTicket<Content>(
  bank: Pick<Bank, 'clock'>,
  run: Run,
  kind: TicketKind,
  token: string,
): Promise<Ticket<Content> | null> {
  const digest = digestOfGiven(token)
  if (!digest) return null
  const { rows } = await run(
    `SELECT customer_id, content FROM bank.ticket WHERE token_hash = $1 AND kind = $2 AND expires_at > $3`,
    [digest, kind, bank.clock.realNow()],
  )
  return ticketOf<Content>(rows[0])
}

/** Puts something else in a ticket that still holds `before`. Answers whether it did: of many who saw the same, one does. */
export async function exchangeTicket(
  run: Run,
  kind: TicketKind,
  token: string,
  { before, after }: { before: object; after: object },
): Promise<boolean> {
  const { rows } = await run(
    `UPDATE bank.ticket SET content = $4 WHERE token_hash = $1 AND kind = $2 AND content = $3 RETURNING kind`,
    [digestOf(token), kind, JSON.stringify(before), JSON.stringify(after)],
  )
  return rows.length > 0
}

/** How often somebody may be wrong with one ticket. */
const TRIES = 5

/**
 * Counts a try with a ticket that stands a few, and answers what it is for; null where there is none, or none that
 * stands another. `mark` changes its content with the same stroke.
 */
export async function tryTicket<Content extends object>(
  bank: Pick<Bank, 'clock'>,
  run: Run,
  kind: TicketKind,
  token: string,
  mark: Partial<Content> = {},
): Promise<Ticket<Content> | null> {
  for (;;) {
    const ticket = await readTicket<Content & { tries?: number }>(bank, run, kind, token)
    const tries = (ticket?.content.tries ?? 0) + 1
    if (!ticket || tries > TRIES) return null
    const { content: before } = ticket
    if (await exchangeTicket(run, kind, token, { before, after: { ...before, ...mark, tries } })) return ticket
  }
}

/** Makes a customer's tickets of this kind worthless. */
export async function voidTickets(run: Run, kind: TicketKind, customerId: string): Promise<void> {
  await run(`DELETE FROM bank.ticket WHERE customer_id = $1 AND kind = $2`, [customerId, kind])
}
