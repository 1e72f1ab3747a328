import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { listKnownPasskeys } from '#server/identity/passkeys/passkeys.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The time for which a case stays open to a session after its second factor, in milliseconds of real time. */
const UNLOCKED_MS = 15 * 60_000

/** The reviewer and their session's id in the database. */
export type Reviewer = { customer: Customer; session: string }

/** Requires a second factor for opening other people's documents. Throws Refusal `second_factor_required`. */
export async function checkSecondFactor({ db }: Pick<Deps, 'db'>, { id }: Pick<Customer, 'id'>): Promise<void> {
  const [twoFactor, passkeys] = await Promise.all([hasTwoFactor(db, id), listKnownPasskeys({ db }, id)])
  if (!twoFactor && passkeys.length === 0) throw new Refusal('second_factor_required')
}

/** Returns the cases whose documents the reviewer's session may open and which it may decide. */
export async function unlockedCases(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { customer, session }: Reviewer,
  caseIds: readonly string[],
): Promise<Set<string>> {
  if (caseIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('bank.kyc_review as r')
    .innerJoin('bank.session as s', 's.id', 'r.session_id')
    .select('r.case_id')
    .distinct()
    .where('r.case_id', 'in', caseIds)
    .where('r.act', '=', 'unlock')
    .where('r.reviewer_id', '=', customer.id)
    .where('s.token_hash', '=', session)
    .where('r.acted_at', '>', new Date(clock.realNow().getTime() - UNLOCKED_MS))
    .execute()
  return new Set(rows.map(({ case_id }) => case_id))
}

export async function isUnlocked(
  deps: Pick<Deps, 'db' | 'clock'>,
  reviewer: Reviewer,
  caseId: string,
): Promise<boolean> {
  return (await unlockedCases(deps, reviewer, [caseId])).has(caseId)
}

/** Throws Refusal `case_locked` if the reviewer's session has not unlocked the case. */
export async function checkUnlocked(
  deps: Pick<Deps, 'db' | 'clock'>,
  reviewer: Reviewer,
  caseId: string,
): Promise<void> {
  if (!(await isUnlocked(deps, reviewer, caseId))) throw new Refusal('case_locked')
}

/**
 * Unlocks a case for the session of a reviewer who has just given a second factor for it. Throws Refusal `sign_in_required` if
 * the session has ended.
 */
export async function unlockCase(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { customer, session }: Reviewer,
  caseId: string,
): Promise<void> {
  const currentSession = await db
    .selectFrom('bank.session')
    .select('id')
    .where('token_hash', '=', session)
    .executeTakeFirst()
  if (!currentSession) throw new Refusal('sign_in_required')
  await db
    .insertInto('bank.kyc_review')
    .values({
      case_id: caseId,
      reviewer_id: customer.id,
      act: 'unlock',
      session_id: currentSession.id,
      acted_at: clock.realNow(),
    })
    .execute()
}
