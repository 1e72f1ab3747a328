import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { knownPasskeys } from '#server/identity/passkeys/passkeys.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import type { Deps } from '#server/platform/deps.ts'

/** For how long a case stays open to the session that has shown a second factor for it, in milliseconds of real time. */
const UNLOCKED_MS = 15 * 60_000

/** Who reviews, and with which session (what names it in the database). */
export type Reviewer = { customer: Customer; session: string }

/** Opening other people's documents takes a second factor. Throws Refusal `second_factor_required`. */
export async function checkSecondFactor({ db }: Pick<Deps, 'db'>, { id }: Pick<Customer, 'id'>): Promise<void> {
  const [twoFactor, passkeys] = await Promise.all([hasTwoFactor(db, id), knownPasskeys({ db }, id)])
  if (!twoFactor && passkeys.length === 0) throw new Refusal('second_factor_required')
}

/** Which of these cases the reviewer's session may open the documents of, and decide. */
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

/** Throws Refusal `case_locked`. */
export async function checkUnlocked(
  deps: Pick<Deps, 'db' | 'clock'>,
  reviewer: Reviewer,
  caseId: string,
): Promise<void> {
  if (!(await isUnlocked(deps, reviewer, caseId))) throw new Refusal('case_locked')
}

/**
 * Unlocks a case for the session of a reviewer who has just shown a second factor for it. Throws Refusal
 * `sign_in_required` where the session has ended.
 */
export async function unlockCase(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { customer, session }: Reviewer,
  caseId: string,
): Promise<void> {
  const own = await db.selectFrom('bank.session').select('id').where('token_hash', '=', session).executeTakeFirst()
  if (!own) throw new Refusal('sign_in_required')
  await db
    .insertInto('bank.kyc_review')
    .values({ case_id: caseId, reviewer_id: customer.id, act: 'unlock', session_id: own.id, acted_at: clock.realNow() })
    .execute()
}
