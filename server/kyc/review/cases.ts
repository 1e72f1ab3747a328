import { createHash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type { KycDocument, ReviewCase } from '#contract/kyc.ts'
import { initialsOf } from '#contract/initials.ts'
import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { documentsOf } from '#server/kyc/cases/cases.ts'
import { type Reviewer, unlockedCases } from '#server/kyc/review/access.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** The number of cases that a reviewer sees at once. Further cases appear as these are decided. */
const LISTED = 50

/** Selects the cases that were submitted at some time. Reviewers do not see other cases. */
function selectCases(deps: Pick<Deps, 'db'>) {
  return deps.db
    .selectFrom('bank.kyc_case as k')
    .innerJoin('bank.customer as c', 'c.id', 'k.customer_id')
    .select(['k.id', 'k.customer_id', 'k.status', 'k.reason', 'k.submitted_at'])
    .select(['c.full_name', 'c.email', 'c.phone', 'c.address', 'c.postcode', 'c.date_of_birth'])
    .where('k.submitted_at', 'is not', null)
}

export type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCases>['execute']>>[number]

/**
 * Returns a digest of everything that a reviewer sees of a case and decides about. A document never changes; a new document
 * with a new id replaces it.
 */
export function digestOfCase(row: CaseRow, documents: readonly KycDocument[]): string {
  const content = [
    [row.id, row.submitted_at?.toISOString()],
    [row.full_name, row.date_of_birth, row.address, row.postcode, row.email, row.phone],
    documents.map(({ id, step, type, uploadedAt }) => [id, step, type, uploadedAt]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

async function casesOf(deps: Pick<Deps, 'db' | 'clock'>, reviewer: Reviewer, rows: CaseRow[]): Promise<ReviewCase[]> {
  const [documents, unlockedIds] = await Promise.all([
    documentsOf(
      deps,
      rows.map((row) => row.customer_id),
    ),
    unlockedCases(
      deps,
      reviewer,
      rows.map((row) => row.id),
    ),
  ])
  return rows.map((row) => {
    const caseDocuments = documents.get(row.customer_id) ?? []
    return {
      id: row.id,
      fullName: row.full_name,
      initials: initialsOf(row.full_name),
      email: row.email,
      phone: row.phone,
      dateOfBirth: row.date_of_birth,
      address: row.address,
      postcode: row.postcode,
      status: row.status,
      reason: row.reason,
      submittedAt: (row.submitted_at as Date).toISOString(),
      documents: caseDocuments,
      digest: digestOfCase(row, caseDocuments),
      own: row.customer_id === reviewer.customer.id,
      unlocked: unlockedIds.has(row.id),
    }
  })
}

/** Returns the cases that wait for a decision, longest waiting first, at most 50. */
export async function reviewQueueOf(deps: Pick<Deps, 'db' | 'clock'>, reviewer: Reviewer): Promise<ReviewCase[]> {
  const rows = await selectCases(deps)
    .where('k.status', '=', sql.lit('submitted'))
    .where('c.closed_at', 'is', null)
    .orderBy('k.submitted_at')
    .orderBy('k.id')
    .limit(LISTED)
    .execute()
  return casesOf(deps, reviewer, rows)
}

/** Returns a submitted case. Throws Refusal `not_found`. */
export async function findCase(deps: Pick<Deps, 'db'>, caseId: string): Promise<CaseRow> {
  const row = isUuid(caseId) && (await selectCases(deps).where('k.id', '=', caseId).executeTakeFirst())
  if (!row) throw new Refusal('not_found')
  return row
}

/** Returns a case for a reviewer who is not its customer. Throws Refusal `not_found` or `verification_own`. */
export async function findCaseToReview(
  deps: Pick<Deps, 'db'>,
  reviewer: Pick<Customer, 'id'>,
  caseId: string,
): Promise<CaseRow> {
  const row = await findCase(deps, caseId)
  if (row.customer_id === reviewer.id) throw new Refusal('verification_own')
  return row
}

/** Returns a submitted case as the reviewer sees it. Throws Refusal `not_found`. */
export async function readCase(
  deps: Pick<Deps, 'db' | 'clock'>,
  reviewer: Reviewer,
  caseId: string,
): Promise<ReviewCase> {
  const [kycCase] = await casesOf(deps, reviewer, [await findCase(deps, caseId)])
  if (!kycCase) throw new Refusal('not_found')
  return kycCase
}
