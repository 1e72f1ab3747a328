import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { digestOf, digestOfGiven, newToken } from '#server/platform/secrets/token.ts'

/**
 * What a one-time token is for, and how long it lasts, in milliseconds of real time. The token of one kind is worth nothing as
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
export type OneTimeTokenKind = keyof typeof LIFETIMES

/** How many of one kind a customer has at most: asking again and again makes the oldest worthless, and no more rows. */
const MOST = 100

export type OneTimeToken<Content> = { customerId: string | null; content: Content }

/**
 * Issues something that works once: the token (256 random bits) is answered and only its digest is kept. Whoever comes
 * clears a few one-time tokens away that nobody used in time, and the oldest of their own where they have very many.
 */
export async function issueOneTimeToken(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  { customerId, content }: OneTimeToken<object>,
): Promise<string> {
  const token = newToken()
  const now = deps.clock.realNow()
  await clearTokens(db, { now, customerId, kind })
  await db
    .insertInto('bank.one_time_token')
    .values({
      token_hash: digestOf(token),
      kind,
      customer_id: customerId,
      content: JSON.stringify(content),
      expires_at: new Date(now.getTime() + LIFETIMES[kind]),
    })
    .execute()
  return token
}

type Clearing = { now: Date; customerId: string | null; kind: OneTimeTokenKind }

/** Clears a few away that nobody used in time, and a customer's oldest where one more makes too many. */
async function clearTokens(db: Kysely<Database>, { now, customerId, kind }: Clearing): Promise<void> {
  await db
    .with('late', (query) =>
      query
        .selectFrom('bank.one_time_token')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(sql.lit(10))
        .forUpdate()
        .skipLocked(),
    )
    .with('surplus', (query) =>
      query
        .selectFrom('bank.one_time_token')
        .select('token_hash')
        .where('customer_id', '=', customerId)
        .where('kind', '=', kind)
        .orderBy('expires_at', 'desc')
        .offset(sql.lit(MOST - 1))
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('bank.one_time_token')
    .where('token_hash', 'in', ({ selectFrom }) =>
      selectFrom('late').select('token_hash').unionAll(selectFrom('surplus').select('token_hash')),
    )
    .execute()
}

type Row = Pick<Selectable<Database['bank.one_time_token']>, 'customer_id' | 'content'>

function oneTimeTokenOf<Content>(row: Row | undefined): OneTimeToken<Content> | null {
  return row ? { customerId: row.customer_id, content: row.content as Content } : null
}

/** Takes a one-time token away and answers what it was for, or null where there is none (any more). Of many who try, one gets it. */
export async function takeOneTimeToken<Content>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken<Content> | null> {
  const digest = digestOfGiven(token)
  if (!digest) return null
  const row = await db
    .deleteFrom('bank.one_time_token')
    .where('token_hash', '=', digest)
    .where('kind', '=', kind)
    .where('expires_at', '>', deps.clock.realNow())
    .returning(['customer_id', 'content'])
    .executeTakeFirst()
  return oneTimeTokenOf<Content>(row)
}

/** What a one-time token is for, left in its place; null where there is none. */
export async function readOneTimeToken<Content>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken<Content> | null> {
  const digest = digestOfGiven(token)
  if (!digest) return null
  const row = await db
    .selectFrom('bank.one_time_token')
    .select(['customer_id', 'content'])
    .where('token_hash', '=', digest)
    .where('kind', '=', kind)
    .where('expires_at', '>', deps.clock.realNow())
    .executeTakeFirst()
  return oneTimeTokenOf<Content>(row)
}

/**
 * Changes what a one-time token holds to what `change` answers, and answers what it held before; null where there is no
 * such token or `change` answers null. Where another request changes it at the same moment, `change` is asked again.
 */
export async function changeOneTimeToken<Content extends object>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
  change: (held: OneTimeToken<Content>) => Content | null,
): Promise<OneTimeToken<Content> | null> {
  for (;;) {
    const held = await readOneTimeToken<Content>(deps, db, kind, token)
    const after = held && change(held)
    if (!after) return null
    const changed = await db
      .updateTable('bank.one_time_token')
      .set({ content: JSON.stringify(after) })
      .where('token_hash', '=', digestOf(token))
      .where('kind', '=', kind)
      .where('content', '=', JSON.stringify(held.content))
      .returning('kind')
      .executeTakeFirst()
    if (changed) return held
  }
}

/** How often somebody may be wrong with one one-time token. */
const TRIES = 5

/**
 * Counts a try with a one-time token that stands a few, and answers what it is for; null where there is none, or none that
 * stands another. `mark` changes its content with the same stroke.
 */
export function tryOneTimeToken<Content extends object>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
  mark: Partial<Content> = {},
): Promise<OneTimeToken<Content> | null> {
  return changeOneTimeToken<Content & { tries?: number }>(deps, db, kind, token, ({ content }) => {
    const tries = (content.tries ?? 0) + 1
    return tries > TRIES ? null : { ...content, ...mark, tries }
  })
}

/** Makes a customer's one-time tokens of this kind worthless. */
export async function voidOneTimeTokens(
  trx: Transaction<Database>,
  kind: OneTimeTokenKind,
  customerId: string,
): Promise<void> {
  await trx.deleteFrom('bank.one_time_token').where('customer_id', '=', customerId).where('kind', '=', kind).execute()
}
