import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type DataLoader from 'dataloader'
import { Refusal } from '#contract/errors.ts'
import type { Device } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { notifyWithin } from '#server/platform/events/bank-event.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { batchLoader } from '#server/platform/db/batch-loader.ts'
import { openWriteBuffer, type WriteBuffer } from '#server/platform/write-buffer.ts'
import { tokenDigestOf, newToken } from '#server/platform/secrets/token.ts'
import { type Customer, CUSTOMER_COLUMNS, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'

/** The maximum lifetime of a session, even if it is in use. Milliseconds of real time. */
export const SESSION_MS = 12 * 60 * 60 * 1000

/**
 * The minimum interval between two updates of `last_used_at`, in milliseconds. Where idle sessions end, the interval is at most
 * a thirtieth of the idle time.
 */
const USED_EVERY_MS = 60_000
const USES_IN_IDLE = 30

/** The largest number of sessions per customer. A further session ends the least recently used one. */
const MAX_SESSIONS = 100

/** The method by which a customer signed in. */
export type SignInMethod = 'visit' | 'sign_up' | 'password' | 'passkey' | 'biometric' | 'recovery_code'

export type NewSession = { customerId: string; caller: Caller; method: SignInMethod; token?: string }

/**
 * Begins a session when the SQL transaction of `db` commits. Returns the token, which is not stored. Each call also deletes a
 * few expired sessions, and the least recently used of the customer's sessions if there are too many.
 */
export async function createSession(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  { customerId, caller, method, token = newToken() }: NewSession,
): Promise<{ token: string; session: string }> {
  const session = tokenDigestOf(token)
  const now = deps.clock.realNow()
  await db
    .with('ended', (query) =>
      query
        .selectFrom('bank.session')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(sql.lit(10))
        .forUpdate()
        .skipLocked(),
    )
    .with('surplus', (query) =>
      query
        .selectFrom('bank.session')
        .select('token_hash')
        .where('customer_id', '=', customerId)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .offset(sql.lit(MAX_SESSIONS - 1))
        .forUpdate()
        .skipLocked(),
    )
    .with('cleared', (query) =>
      query
        .deleteFrom('bank.session')
        .where('token_hash', 'in', ({ selectFrom }) =>
          selectFrom('ended').select('token_hash').unionAll(selectFrom('surplus').select('token_hash')),
        ),
    )
    .insertInto('bank.session')
    .values({
      token_hash: session,
      id: randomUUIDv7(),
      customer_id: customerId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
      device: JSON.stringify(caller.device),
      network_zone: caller.networkZone,
      method,
    })
    .execute()
  return { token, session }
}

/** Ends a session. Does nothing if the session does not exist. */
export async function endSession(db: Kysely<Database>, session: string): Promise<void> {
  const ended = await db
    .deleteFrom('bank.session')
    .where('token_hash', '=', session)
    .returning(['id', 'customer_id'])
    .executeTakeFirst()
  if (ended) await leaveDevices(db, ended.customer_id, [ended.id])
}

/**
 * Stops showing data on the devices of ended sessions. Open event streams check whether their sessions still exist, and push
 * notices stop. A session that expires keeps its device's notices (docs/decisions/0094).
 */
async function leaveDevices(db: Kysely<Database>, customerId: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('bank.push_subscription').where('session_id', 'in', ids).execute()
  await notifyWithin(db, [customerId], 'session')
}

/** Ends all of a customer's sessions except `except`. Returns the number of ended sessions. */
export async function endSessionsOf(
  trx: Transaction<Database>,
  customerId: string,
  except: string | null,
): Promise<number> {
  const ended = await trx
    .deleteFrom('bank.session')
    .where('customer_id', '=', customerId)
    .where('token_hash', 'is distinct from', except)
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  if (ids.length > 0) await leaveDevices(trx, customerId, ids)
  return ids.length
}

/** Ends one of a customer's sessions by its id. Returns the digest of its token, or null if it does not exist. */
export async function endSessionById(
  trx: Transaction<Database>,
  customerId: string,
  id: string,
): Promise<string | null> {
  const ended = await trx
    .deleteFrom('bank.session')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .returning('token_hash')
    .executeTakeFirst()
  if (!ended) return null
  await leaveDevices(trx, customerId, [id])
  return ended.token_hash
}

/**
 * Gives a session a new token after its customer has given a proof. The old token becomes invalid. Returns the new token, or
 * null if the session has ended meanwhile.
 */
export async function renewSession(trx: Transaction<Database>, session: string): Promise<string | null> {
  const token = newToken()
  const renewed = await trx
    .updateTable('bank.session')
    .set({ token_hash: tokenDigestOf(token) })
    .where('token_hash', '=', session)
    .returning('id')
    .executeTakeFirst()
  return renewed ? token : null
}

/**
 * Returns a session's permanent id, which does not change with its token. Throws Refusal `sign_in_required` if the session has
 * ended.
 */
export async function sessionId(db: Kysely<Database>, session: string): Promise<string> {
  const row = await db.selectFrom('bank.session').select('id').where('token_hash', '=', session).executeTakeFirst()
  if (!row) throw new Refusal('sign_in_required')
  return row.id
}

/** Returns the customer's sessions with their devices, most recently used first. `session` is the calling session. */
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
    networkZone: row.network_zone,
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    current: row.token_hash === session,
  }))
}

/** Returns the limit of idle time: a session whose last use was earlier has ended. */
export function usedSince({ clock, policy }: Pick<Deps, 'clock' | 'policy'>): Date {
  return new Date(policy.idleMs === null ? 0 : clock.realNow().getTime() - policy.idleMs)
}

type SessionRow = CustomerRow & { token_hash: string; last_used_at: Date }

/** A server's queue of session look-ups, which share a query, and of uses that are not stored yet. */
export type SessionQueue = {
  customers: DataLoader<string, Customer | null>
  used: WriteBuffer<string>
  /** The customer of each session at its last look-up, in the order of the look-ups. */
  holders: Map<string, string>
}

/** The number of sessions whose customers a server caches. */
const HOLDERS = 100_000

/** Caches a session's customer, or removes the session from the cache if it has ended. */
export function recordHolder({ sessions }: Pick<Deps, 'sessions'>, session: string, customerId: string | null): void {
  const { holders } = sessions
  holders.delete(session)
  if (customerId === null) return
  holders.set(session, customerId)
  const [oldest] = holders.keys()
  if (holders.size > HOLDERS && oldest !== undefined) holders.delete(oldest)
}

/**
 * Returns the session's customer at this server's last look-up. Returns null if the server has not looked it up or found none.
 */
export function lastHolder({ sessions }: Pick<Deps, 'sessions'>, session: string): string | null {
  return sessions.holders.get(session) ?? null
}

type SessionDeps = Pick<Deps, 'pool' | 'clock' | 'policy'>

export function openSessionQueue(deps: SessionDeps): SessionQueue {
  const sessions: SessionQueue = {
    customers: batchLoader((keys) => loadSessions({ ...deps, sessions }, keys)),
    used: openWriteBuffer({
      waitMs: 1_000,
      batch: 1_000,
      most: HOLDERS,
      keyOf: (session) => session,
      write: (used) => writeUsed(deps, used),
      // A failed write needs no retry. The next request finds that the stored time of use is out of date and queues the use
      // again.
      onError: () => undefined,
    }),
    holders: new Map(),
  }
  return sessions
}

/** Returns the SQL of a lateral join that selects the active session with a token's digest. `used`: see `usedSince`. */
export function activeSession(tokenHash: string, { now, used }: { now: string; used: string }): string {
  return `SELECT token_hash, customer_id, last_used_at FROM bank.session
    WHERE token_hash = ${tokenHash} AND expires_at > ${now} AND last_used_at > ${used} LIMIT 1`
}

async function loadSessions(deps: SessionDeps & Pick<Deps, 'sessions'>, sessions: readonly string[]) {
  const { rows } = await deps.pool.query<SessionRow>({
    // The LIMITs force an index look-up per session. A join of sets would scan both tables until the database has statistics,
    // and whenever it estimates that a table is small.
    text: `SELECT s.token_hash, s.last_used_at, ${CUSTOMER_COLUMNS}
           FROM unnest($1::text[]) AS asked (token_hash)
           CROSS JOIN LATERAL (${activeSession('asked.token_hash', { now: '$2', used: '$3' })}) s
           CROSS JOIN LATERAL (SELECT * FROM bank.customer WHERE id = s.customer_id AND closed_at IS NULL LIMIT 1) c`,
    values: [sessions, deps.clock.realNow(), usedSince(deps)],
  })
  const customersById = new Map(rows.map((row) => [row.token_hash, customerOf(row)]))
  for (const row of rows) recordSessionUse(deps, { session: row.token_hash, lastUsedAt: row.last_used_at })
  for (const session of sessions) recordHolder(deps, session, customersById.get(session)?.id ?? null)
  return sessions.map((session) => customersById.get(session) ?? null)
}

/**
 * Queues the use of a session if the stored time of use is out of date. A batch stores it a second later, so that no request
 * waits for it.
 */
export function recordSessionUse(
  deps: SessionDeps & Pick<Deps, 'sessions'>,
  { session, lastUsedAt }: { session: string; lastUsedAt: Date },
): void {
  const { idleMs } = deps.policy
  const usedEveryMs = idleMs === null ? USED_EVERY_MS : Math.min(USED_EVERY_MS, idleMs / USES_IN_IDLE)
  if (deps.clock.realNow().getTime() - lastUsedAt.getTime() < usedEveryMs) return
  deps.sessions.used.add(session)
}

async function writeUsed({ pool, clock }: SessionDeps, used: readonly string[]): Promise<void> {
  // Plain SQL with an array gives one statement text for any number of sessions.
  await pool.query(
    `UPDATE bank.session SET last_used_at = $2
     WHERE token_hash IN (SELECT token_hash FROM bank.session WHERE token_hash = ANY ($1::text[])
                          ORDER BY token_hash FOR NO KEY UPDATE SKIP LOCKED)`,
    [used, clock.realNow()],
  )
}

/** Returns the customer of a session, or null if the session has ended or never existed. Concurrent calls share a query. */
export function findSession(deps: Pick<Deps, 'sessions'>, session: string): Promise<Customer | null> {
  return deps.sessions.customers.load(session)
}

/** Returns whether a session is active. The check does not count as a use of the session. */
export async function isSessionLive(deps: Pick<Deps, 'db' | 'clock' | 'policy'>, session: string): Promise<boolean> {
  const row = await deps.db
    .selectFrom('bank.session')
    .select('id')
    .where('token_hash', '=', session)
    .where('expires_at', '>', deps.clock.realNow())
    .where('last_used_at', '>', usedSince(deps))
    .executeTakeFirst()
  return row !== undefined
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    sessions: SessionQueue
  }
}
