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
import { gather, type Gathered } from '#server/platform/gather.ts'
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
 * Signs a customer in, once the SQL transaction of `db` commits; answers the token, this once. Whoever
 * comes clears a few sessions away that have ended, and their own oldest where they have very many, so that the table
 * keeps to those that matter.
 */
export async function createSession(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  { customerId, caller, method, token = newToken() }: NewSession,
): Promise<{ token: string; session: string }> {
  const session = digestOf(token)
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
        .offset(sql.lit(MOST - 1))
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

/** Signs out. Ending a session that is not there is no failure. */
export async function endSession(db: Kysely<Database>, session: string): Promise<void> {
  const ended = await db
    .deleteFrom('bank.session')
    .where('token_hash', '=', session)
    .returning(['id', 'customer_id'])
    .executeTakeFirst()
  if (ended) await leaveDevices(db, ended.customer_id, [ended.id])
}

/**
 * Shows nothing more on the devices of sessions that somebody has ended: their event streams look whether they still
 * live, and notices stay away. A session that runs out leaves its device the customer's (docs/decisions/0094).
 */
async function leaveDevices(db: Kysely<Database>, customerId: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('bank.push_subscription').where('session_id', 'in', ids).execute()
  await notifyWithin(db, [customerId], 'session')
}

/** Signs a customer out everywhere, but for the session `except` where one is given. Answers how many ended. */
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

/** Ends one of a customer's sessions, by its id. Answers what named it, or null where there is none. */
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
 * Gives a session another token, after its customer has shown once more who they are: whoever held the old one holds
 * nothing. Answers the new token, or null where the session ended meanwhile.
 */
export async function renewSession(trx: Transaction<Database>, session: string): Promise<string | null> {
  const token = newToken()
  const renewed = await trx
    .updateTable('bank.session')
    .set({ token_hash: digestOf(token) })
    .where('token_hash', '=', session)
    .returning('id')
    .executeTakeFirst()
  return renewed ? token : null
}

/** What a session is called whatever its token. Throws Refusal `sign_in_required` where it has ended. */
export async function sessionId(db: Kysely<Database>, session: string): Promise<string> {
  const row = await db.selectFrom('bank.session').select('id').where('token_hash', '=', session).executeTakeFirst()
  if (!row) throw new Refusal('sign_in_required')
  return row.id
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
    networkZone: row.network_zone,
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
  used: Gathered<string>
  /** Whose a session was when it was last looked up, the latest found last. */
  holders: Map<string, string>
}

/** Of how many sessions a server remembers whose they are. */
const HOLDERS = 100_000

/** Remembers whose a session is, or forgets it where it has ended. */
export function noteHolder({ sessions }: Pick<Deps, 'sessions'>, session: string, customerId: string | null): void {
  const { holders } = sessions
  holders.delete(session)
  if (customerId === null) return
  holders.set(session, customerId)
  const [oldest] = holders.keys()
  if (holders.size > HOLDERS && oldest !== undefined) holders.delete(oldest)
}

/** Whose a session was when this server last looked it up; null where it never did, or found nobody. */
export function lastHolder({ sessions }: Pick<Deps, 'sessions'>, session: string): string | null {
  return sessions.holders.get(session) ?? null
}

type SessionDeps = Pick<Deps, 'pool' | 'clock' | 'policy'>

export function openSessionQueue(deps: SessionDeps): SessionQueue {
  const sessions: SessionQueue = {
    customers: batchLoader((keys) => loadSessions({ ...deps, sessions }, keys)),
    used: gather({
      waitMs: 1_000,
      batch: 1_000,
      most: HOLDERS,
      keyOf: (session) => session,
      write: (used) => writeUsed(deps, used),
      // The next request that finds the time out of date has it written.
      onError: () => undefined,
    }),
    holders: new Map(),
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
  for (const session of sessions) noteHolder(deps, session, found.get(session)?.id ?? null)
  return sessions.map((session) => found.get(session) ?? null)
}

/** Notes that a session is used, a second later and all at once, so that no request waits for it. */
export function noteSessionUse(
  deps: SessionDeps & Pick<Deps, 'sessions'>,
  { session, lastUsedAt }: { session: string; lastUsedAt: Date },
): void {
  const { idleMs } = deps.policy
  const usedEveryMs = idleMs === null ? USED_EVERY_MS : Math.min(USED_EVERY_MS, idleMs / USES_IN_IDLE)
  if (deps.clock.realNow().getTime() - lastUsedAt.getTime() < usedEveryMs) return
  deps.sessions.used.add(session)
}

async function writeUsed({ pool, clock }: SessionDeps, used: readonly string[]): Promise<void> {
  // Plain SQL with an array: one text, however many were used.
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
export async function sessionLives(deps: Pick<Deps, 'db' | 'clock' | 'policy'>, session: string): Promise<boolean> {
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
