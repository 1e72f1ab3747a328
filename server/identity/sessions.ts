import { hash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type DataLoader from 'dataloader'
import type { Pool } from 'pg'
import type { Bank } from '#server/bank.ts'
import { batchLoader } from '#server/identity/batch.ts'
import { type Customer, CUSTOMER_COLUMNS, customerOf, type CustomerRow } from '#server/identity/customers.ts'

/** A session ends this long after it began, however much it is used. Milliseconds of real time. */
export const SESSION_MS = 12 * 60 * 60 * 1000

/** `last_used_at` is written no more often than this, in milliseconds. */
const USED_EVERY_MS = 60_000

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** What names a session in the database. Null where `token` cannot be one. */
export function sessionOf(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? hash('sha256', token, 'base64url') : null
}

/**
 * Signs a customer in. The token (256 random bits) is answered once and only its digest is kept. Whoever comes clears
 * a few sessions away that have ended, so that the table keeps to those that matter.
 */
export async function createSession(bank: Pick<Bank, 'pool' | 'clock'>, customerId: string) {
  const token = randomBytes(32).toString('base64url')
  const now = bank.clock.realNow()
  const expiresAt = new Date(now.getTime() + SESSION_MS)
  await bank.pool.query(
    `WITH ended AS (
       SELECT token_hash FROM bank.session WHERE expires_at <= $4 LIMIT 10 FOR UPDATE SKIP LOCKED
     ), cleared AS (
       DELETE FROM bank.session WHERE token_hash IN (SELECT token_hash FROM ended)
     )
     INSERT INTO bank.session (token_hash, id, customer_id, created_at, last_used_at, expires_at)
     VALUES ($1, $2, $3, $4, $4, $5)`,
    [sessionOf(token), randomUUIDv7(), customerId, now, expiresAt],
  )
  return { token, expiresAt }
}

/** Signs out. Ending a session that is not there is no failure. */
export async function endSession(bank: Pick<Bank, 'pool'>, session: string): Promise<void> {
  await bank.pool.query('DELETE FROM bank.session WHERE token_hash = $1', [session])
}

type SessionRow = CustomerRow & { token_hash: string; last_used_at: Date }

type Sessions = {
  loader: DataLoader<string, Customer | null>
  used: Set<string>
}

const sessionsOf = new WeakMap<Pool, Sessions>()

async function loadSessions(bank: Pick<Bank, 'pool' | 'clock'>, used: Set<string>, sessions: readonly string[]) {
  const now = bank.clock.realNow()
  const { rows } = await bank.pool.query<SessionRow>({
    name: 'customers-by-session',
    // One by one through the index (the LIMITs see to it): joined as sets, they would be read whole until the
    // database has gathered statistics, and whenever it thinks a table small.
    text: `SELECT s.token_hash, s.last_used_at, ${CUSTOMER_COLUMNS}
           FROM unnest($1::text[]) AS asked (token_hash)
           CROSS JOIN LATERAL (
             SELECT * FROM bank.session WHERE token_hash = asked.token_hash AND expires_at > $2 LIMIT 1) s
           CROSS JOIN LATERAL (SELECT * FROM bank.customer WHERE id = s.customer_id LIMIT 1) c`,
    values: [sessions, now],
  })
  const found = new Map<string, Customer>()
  for (const row of rows) {
    found.set(row.token_hash, customerOf(row))
    if (now.getTime() - row.last_used_at.getTime() >= USED_EVERY_MS) used.add(row.token_hash)
  }
  if (used.size > 0) writeUsedSoon(bank, used)
  return sessions.map((session) => found.get(session) ?? null)
}

const USED_DELAY_MS = 1_000
const writing = new WeakSet<Set<string>>()

/** Notes who was here a second later and all at once, so that no request waits for it. */
function writeUsedSoon(bank: Pick<Bank, 'pool' | 'clock'>, used: Set<string>): void {
  if (writing.has(used)) return
  writing.add(used)
  const write = async () => {
    writing.delete(used)
    const sessions = [...used].toSorted()
    used.clear()
    await bank.pool.query(
      `UPDATE bank.session SET last_used_at = $2
       WHERE token_hash IN (SELECT token_hash FROM bank.session WHERE token_hash = ANY ($1::text[])
                            ORDER BY token_hash FOR NO KEY UPDATE SKIP LOCKED)`,
      [sessions, bank.clock.realNow()],
    )
  }
  // When this fails the next request that finds the time out of date has it written.
  setTimeout(() => void write().catch(() => undefined), USED_DELAY_MS).unref()
}

/** The customer signed in with this session, or null where it ended or never was. Concurrent calls share a query. */
export function findSession(bank: Pick<Bank, 'pool' | 'clock'>, session: string): Promise<Customer | null> {
  let sessions = sessionsOf.get(bank.pool)
  if (!sessions) {
    const used = new Set<string>()
    sessions = { used, loader: batchLoader((keys) => loadSessions(bank, used, keys)) }
    sessionsOf.set(bank.pool, sessions)
  }
  return sessions.loader.load(session)
}
