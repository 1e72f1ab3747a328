import type { Deps } from '#server/platform/deps.ts'
import type { Run } from '#server/platform/db/run.ts'
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
  run: Run,
  kind: OneTimeTokenKind,
  { customerId, content }: OneTimeToken<object>,
): Promise<string> {
  const token = newToken()
  const now = deps.clock.realNow()
  await run(
    `WITH late AS (SELECT token_hash FROM bank.one_time_token WHERE expires_at <= $1 LIMIT 10 FOR UPDATE SKIP LOCKED),
          surplus AS (SELECT token_hash FROM bank.one_time_token WHERE customer_id = $2 AND kind = $3
                       ORDER BY expires_at DESC OFFSET $4 FOR UPDATE SKIP LOCKED)
     DELETE FROM bank.one_time_token
      WHERE token_hash IN (SELECT token_hash FROM late UNION ALL SELECT token_hash FROM surplus)`,
    [now, customerId, kind, MOST - 1],
  )
  await run(
    `INSERT INTO bank.one_time_token (token_hash, kind, customer_id, content, expires_at) VALUES ($1, $2, $3, $4, $5)`,
    [digestOf(token), kind, customerId, JSON.stringify(content), new Date(now.getTime() + LIFETIMES[kind])],
  )
  return token
}

function oneTimeTokenOf<Content>(row: Record<string, unknown> | undefined): OneTimeToken<Content> | null {
  return row ? { customerId: row['customer_id'] as string | null, content: row['content'] as Content } : null
}

/** Takes a one-time token away and answers what it was for, or null where there is none (any more). Of many who try, one gets it. */
export async function takeOneTimeToken<Content>(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken<Content> | null> {
  const digest = digestOfGiven(token)
  if (!digest) return null
  const { rows } = await run(
    `DELETE FROM bank.one_time_token WHERE token_hash = $1 AND kind = $2 AND expires_at > $3 RETURNING customer_id, content`,
    [digest, kind, deps.clock.realNow()],
  )
  return oneTimeTokenOf<Content>(rows[0])
}

/** What a one-time token is for, left in its place; null where there is none. */
export async function readOneTimeToken<Content>(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken<Content> | null> {
  const digest = digestOfGiven(token)
  if (!digest) return null
  const { rows } = await run(
    `SELECT customer_id, content FROM bank.one_time_token WHERE token_hash = $1 AND kind = $2 AND expires_at > $3`,
    [digest, kind, deps.clock.realNow()],
  )
  return oneTimeTokenOf<Content>(rows[0])
}

/** Puts something else in a one-time token that still holds `before`. Answers whether it did: of many who saw the same, one does. */
export async function exchangeOneTimeToken(
  run: Run,
  kind: OneTimeTokenKind,
  token: string,
  { before, after }: { before: object; after: object },
): Promise<boolean> {
  const { rows } = await run(
    `UPDATE bank.one_time_token SET content = $4 WHERE token_hash = $1 AND kind = $2 AND content = $3 RETURNING kind`,
    [digestOf(token), kind, JSON.stringify(before), JSON.stringify(after)],
  )
  return rows.length > 0
}

/** How often somebody may be wrong with one one-time token. */
const TRIES = 5

/**
 * Counts a try with a one-time token that stands a few, and answers what it is for; null where there is none, or none that
 * stands another. `mark` changes its content with the same stroke.
 */
export async function tryOneTimeToken<Content extends object>(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  kind: OneTimeTokenKind,
  token: string,
  mark: Partial<Content> = {},
): Promise<OneTimeToken<Content> | null> {
  for (;;) {
    const oneTimeToken = await readOneTimeToken<Content & { tries?: number }>(deps, run, kind, token)
    const tries = (oneTimeToken?.content.tries ?? 0) + 1
    if (!oneTimeToken || tries > TRIES) return null
    const { content: before } = oneTimeToken
    if (await exchangeOneTimeToken(run, kind, token, { before, after: { ...before, ...mark, tries } }))
      return oneTimeToken
  }
}

/** Makes a customer's one-time tokens of this kind worthless. */
export async function voidOneTimeTokens(run: Run, kind: OneTimeTokenKind, customerId: string): Promise<void> {
  await run(`DELETE FROM bank.one_time_token WHERE customer_id = $1 AND kind = $2`, [customerId, kind])
}
