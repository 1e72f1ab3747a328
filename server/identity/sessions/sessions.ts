import { randomUUIDv7 } from 'node:crypto'
import type DataLoader from 'dataloader'
import { Refusal } from '#contract/errors.ts'
import type { Device } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { BANK_EVENT, eventPayloads } from '#server/platform/events/bank-event.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { batchLoader } from '#server/platform/db/batch-loader.ts'
import { digestOf, newToken } from '#server/platform/secrets/token.ts'
import { type Customer, CUSTOMER_COLUMNS, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'

/** A session ends this long after it began, however much it is used. Milliseconds of real time. */
export const SESSION_MS = 12 * 60 * 60 * 1000

/** `last_used_at` is written no more often than this, in milliseconds; for sessions that end unused, a few times as often as that. */
const USED_EVERY_MS = 60_000
const USES_IN_IDLE = 30

/** How many a customer has at most: one more ends the one that was used longest ago. */
const MOST = 100

/** How a customer got in. */
export type SignInMethod = 'visit' | 'sign_up' | 'password' | 'passkey' | 'biometric' | 'recovery_code'

export type NewSession = { customerId: string; caller: Caller; method: SignInMethod; token?: string }

/**
 * Signs a customer in, once the SQL transaction that `run` belongs to commits; answers the token, this once. Whoever
 * comes clears a few sessions away that have ended, and their own oldest where they have very many, so that the table
 * keeps to those that matter.
 */
export async function createSession(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  { customerId, caller, method, token = newToken() }: NewSession,
): Promise<{ token: string; session: string }> {
  const session = digestOf(token)
  const now = deps.clock.realNow()
  const expiresAt = new Date(now.getTime() + SESSION_MS)
  await run(
    `WITH ended AS (
       SELECT token_hash FROM bank.session WHERE expires_at <= $4 LIMIT 10 FOR UPDATE SKIP LOCKED
     ), surplus AS (
       SELECT token_hash FROM bank.session WHERE customer_id = $3
        ORDER BY last_used_at DESC, id DESC OFFSET ${MOST - 1} FOR UPDATE SKIP LOCKED
     ), cleared AS (
       DELETE FROM bank.session
        WHERE token_hash IN (SELECT token_hash FROM ended UNION ALL SELECT token_hash FROM surplus)
     )
     INSERT INTO bank.session
            (token_hash, id, customer_id, created_at, last_used_at, expires_at, device, place, method)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8)`,
    [session, randomUUIDv7(), customerId, now, expiresAt, caller.device, caller.place, method],
  )
  return { token, session }
}

/** Signs out. Ending a session that is not there is no failure. */
export async function endSession(run: Run, session: string): Promise<void> {
  const { rows } = await run('DELETE FROM bank.session WHERE token_hash = $1 RETURNING customer_id', [session])
  const customerId = rows[0]?.['customer_id'] as string | undefined
  if (customerId) await endStreams(run, customerId)
}

/** Has the event streams of a customer look whether their session still lives. */
async function endStreams(run: Run, customerId: string): Promise<void> {
  for (const payload of eventPayloads('session', [customerId]))
    await run('SELECT pg_notify($1, $2)', [BANK_EVENT, payload])
}

/** Signs a customer out everywhere, but for the session `except` where one is given. Answers how many ended. */
export async function endSessionsOf(run: Run, customerId: string, except: string | null): Promise<number> {
  const { rows } = await run(
    'DELETE FROM bank.session WHERE customer_id = $1 AND token_hash IS DISTINCT FROM $2 RETURNING id',
    [customerId, except],
  )
  if (rows.length > 0) await endStreams(run, customerId)
  return rows.length
}

/** Ends one of a customer's sessions, by its id. Answers what named it, or null where there is none. */
export async function endSessionById(run: Run, customerId: string, id: string): Promise<string | null> {
  const { rows } = await run('DELETE FROM bank.session WHERE customer_id = $1 AND id = $2 RETURNING token_hash', [
    customerId,
    id,
  ])
  if (rows.length > 0) await endStreams(run, customerId)
  return (rows[0]?.['token_hash'] as string | undefined) ?? null
}

/**
 * Gives a session another token, after its customer has shown once more who they are: whoever held the old one holds
 * nothing. Answers the new token, or null where the session ended meanwhile.
 */
export async function renewSession(run: Run, session: string): Promise<string | null> {
  const token = newToken()
  const { rows } = await run('UPDATE bank.session SET token_hash = $2 WHERE token_hash = $1 RETURNING id', [
    session,
    digestOf(token),
  ])
  return rows.length > 0 ? token : null
}

/** What a session is called whatever its token. Throws Refusal `sign_in_required` where it has ended. */
export async function sessionId(run: Run, session: string): Promise<string> {
  const { rows } = await run('SELECT id FROM bank.session WHERE token_hash = $1', [session])
  const [row] = rows
  if (!row) throw new Refusal('sign_in_required')
  return row['id'] as string
}

/** The sessions a customer is signed in with, the latest used first. `session`: the one that asks. */
export async function devicesOf(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customerId: string,
  session: string,
): Promise<Device[]> {
  const rows = await deps.db
    .selectFrom('bank.session')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', deps.clock.realNow())
    .where('last_used_at', '>', usedSince(deps))
    .orderBy('last_used_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    place: row.place,
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    current: row.token_hash === session,
  }))
}

/** A session last used before this moment has ended. */
export function usedSince({ clock, policy }: Pick<Deps, 'clock' | 'policy'>): Date {
  return new Date(policy.idleMs === null ? 0 : clock.realNow().getTime() - policy.idleMs)
}

type SessionRow = CustomerRow & { token_hash: string; last_used_at: Date }

/** What one server gathers of sessions for a moment: questions that share a query, and uses that are not noted yet. */
export type SessionQueue = {
  customers: DataLoader<string, Customer | null>
  used: Set<string>
  timer: NodeJS.Timeout | null
}

type SessionDeps = Pick<Deps, 'pool' | 'clock' | 'policy'>

export function openSessionQueue(deps: SessionDeps): SessionQueue {
  const sessions: SessionQueue = {
    customers: batchLoader((keys) => loadSessions({ ...deps, sessions }, keys)),
    used: new Set(),
    timer: null,
  }
  return sessions
}

/** The session of a token's digest if it lives, as a lateral join selects it. `used`: see `usedSince`. */
export function liveSession(tokenHash: string, { now, used }: { now: string; used: string }): string {
  return `SELECT token_hash, customer_id, last_used_at FROM bank.session
    WHERE token_hash = ${tokenHash} AND expires_at > ${now} AND last_used_at > ${used} LIMIT 1`
}

async function loadSessions(deps: SessionDeps & Pick<Deps, 'sessions'>, sessions: readonly string[]) {
  const { rows } = await deps.pool.query<SessionRow>({
    name: 'customers-by-session',
    // One by one through the index (the LIMITs see to it): joined as sets, they would be read whole until the
    // database has gathered statistics, and whenever it thinks a table small.
    text: `SELECT s.token_hash, s.last_used_at, ${CUSTOMER_COLUMNS}
           FROM unnest($1::text[]) AS asked (token_hash)
           CROSS JOIN LATERAL (${liveSession('asked.token_hash', { now: '$2', used: '$3' })}) s
           CROSS JOIN LATERAL (SELECT * FROM bank.customer WHERE id = s.customer_id AND closed_at IS NULL LIMIT 1) c`,
    values: [sessions, deps.clock.realNow(), usedSince(deps)],
  })
  const found = new Map(rows.map((row) => [row.token_hash, customerOf(row)]))
  for (const row of rows) noteSessionUse(deps, { session: row.token_hash, lastUsedAt: row.last_used_at })
  return sessions.map((session) => found.get(session) ?? null)
}

const USED_DELAY_MS = 1_000

/** Notes that a session is used, a second later and all at once, so that no request waits for it. */
export function noteSessionUse(
  deps: SessionDeps & Pick<Deps, 'sessions'>,
  { session, lastUsedAt }: { session: string; lastUsedAt: Date },
): void {
  const { idleMs } = deps.policy
  const usedEveryMs = idleMs === null ? USED_EVERY_MS : Math.min(USED_EVERY_MS, idleMs / USES_IN_IDLE)
  if (deps.clock.realNow().getTime() - lastUsedAt.getTime() < usedEveryMs) return
  const { sessions } = deps
  sessions.used.add(session)
  // When this fails the next request that finds the time out of date has it written.
  sessions.timer ??= setTimeout(() => void writeUsed(deps).catch(() => undefined), USED_DELAY_MS).unref()
}

async function writeUsed({ pool, clock, sessions }: SessionDeps & Pick<Deps, 'sessions'>): Promise<void> {
  sessions.timer = null
  const used = [...sessions.used].toSorted()
  sessions.used.clear()
  await pool.query(
    `UPDATE bank.session SET last_used_at = $2
     WHERE token_hash IN (SELECT token_hash FROM bank.session WHERE token_hash = ANY ($1::text[])
                          ORDER BY token_hash FOR NO KEY UPDATE SKIP LOCKED)`,
    [used, clock.realNow()],
  )
}

/** The customer signed in with this session, or null where it ended or never was. Concurrent calls share a query. */
export function findSession(deps: Pick<Deps, 'sessions'>, session: string): Promise<Customer | null> {
  return deps.sessions.customers.load(session)
}

/** Whether a session still lives, without counting as a use of it. */
export async function sessionLives(deps: SessionDeps, session: string): Promise<boolean> {
  const { rows } = await runOn(deps.pool)(
    'SELECT 1 AS one FROM bank.session WHERE token_hash = $1 AND expires_at > $2 AND last_used_at > $3',
    [session, deps.clock.realNow(), usedSince(deps)],
  )
  return rows.length > 0
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    sessions: SessionQueue
  }
}
