import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { tokenDigestOf, digestOfGivenToken, newToken } from '#server/platform/secrets/token.ts'

/**
 * The kinds of one-time tokens with their lifetimes, in milliseconds of real time. A token of one kind is invalid as another
 * kind.
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

/**
 * The largest number of tokens of one kind per customer. A further token voids the oldest one, so the number of rows does not
 * grow.
 */
const MAX_TOKENS = 100

export type OneTimeToken<Content> = { customerId: string | null; content: Content }

/**
 * Issues a one-time token of 256 random bits. Only its digest is stored. Each call also deletes a few expired tokens, and the
 * oldest of the customer's tokens if there are too many.
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
      token_hash: tokenDigestOf(token),
      kind,
      customer_id: customerId,
      content: JSON.stringify(content),
      expires_at: new Date(now.getTime() + LIFETIMES[kind]),
    })
    .execute()
  return token
}

type Clearing = { now: Date; customerId: string | null; kind: OneTimeTokenKind }

/** Deletes a few expired tokens, and the oldest of the customer's tokens if there are too many. */
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
        .offset(sql.lit(MAX_TOKENS - 1))
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

/**
 * Redeems a one-time token and returns its content. Returns null if the token does not exist, has expired or was used. Of
 * several concurrent calls, one gets it.
 */
export async function takeOneTimeToken<Content>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken<Content> | null> {
  const digest = digestOfGivenToken(token)
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

/** Reads a one-time token's content without redeeming it. Returns null if the token does not exist or has expired. */
export async function readOneTimeToken<Content>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken<Content> | null> {
  const digest = digestOfGivenToken(token)
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
 * Replaces a one-time token's content by the result of `change`, and returns the previous content. Returns null if there is no
 * such token, or if `change` returns null. If another request changes the token at the same moment, `change` runs again.
 */
export async function changeOneTimeToken<Content extends object>(
  deps: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  kind: OneTimeTokenKind,
  token: string,
  change: (held: OneTimeToken<Content>) => Content | null,
): Promise<OneTimeToken<Content> | null> {
  for (;;) {
    const storedToken = await readOneTimeToken<Content>(deps, db, kind, token)
    const after = storedToken && change(storedToken)
    if (!after) return null
    const changedRow = await db
      .updateTable('bank.one_time_token')
      .set({ content: JSON.stringify(after) })
      .where('token_hash', '=', tokenDigestOf(token))
      .where('kind', '=', kind)
      .where('content', '=', JSON.stringify(storedToken.content))
      .returning('kind')
      .executeTakeFirst()
    if (changedRow) return storedToken
  }
}

/** The number of attempts that a one-time token allows. */
const TRIES = 5

/**
 * Counts an attempt with a one-time token that allows several attempts, and returns its content. Returns null if the token does
 * not exist or has no attempts left. `mark` changes its content in the same statement.
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

/** Voids a customer's one-time tokens of this kind. */
export async function voidOneTimeTokens(
  trx: Transaction<Database>,
  kind: OneTimeTokenKind,
  customerId: string,
): Promise<void> {
  await trx.deleteFrom('bank.one_time_token').where('customer_id', '=', customerId).where('kind', '=', kind).execute()
}
