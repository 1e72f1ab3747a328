import { Refusal } from '#contract/errors.ts'
import type { decisionRequest, ReviewCase } from '#contract/kyc.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { type Customer, initialsOf } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { documentsOf, lockCustomer } from '#server/kyc/cases/cases.ts'
import { openDocument, type OpenedDocument } from '#server/kyc/documents/service.ts'
import type { Asker } from '#server/kyc/documents/shares.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { REVIEW_DESK, settleCase } from '#server/kyc/cases/settlement.ts'

/** How many cases a reviewer is shown at once; the next ones move up as these are decided. */
const LISTED = 50

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Cases that were handed in at some time; any other is its customer's alone. */
function selectCases(deps: Pick<Deps, 'db'>) {
  return deps.db
    .selectFrom('bank.kyc_case as k')
    .innerJoin('bank.customer as c', 'c.id', 'k.customer_id')
    .select(['k.id', 'k.customer_id', 'k.status', 'k.reason', 'k.submitted_at'])
    .select(['c.full_name', 'c.email', 'c.phone', 'c.address', 'c.postcode'])
    .select(sql<string | null>`to_char(c.date_of_birth, 'YYYY-MM-DD')`.as('date_of_birth'))
    .where('k.submitted_at', 'is not', null)
}

type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCases>['execute']>>[number]

async function casesOf(deps: Pick<Deps, 'db'>, reviewer: Customer, rows: CaseRow[]): Promise<ReviewCase[]> {
  const documents = await documentsOf(
    deps,
    rows.map((row) => row.customer_id),
  )
  return rows.map((row) => ({
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
    documents: documents.get(row.customer_id) ?? [],
    own: row.customer_id === reviewer.id,
  }))
}

/** The cases that wait for a decision, the longest waiting first: at most 50. */
export async function reviewQueueOf(deps: Pick<Deps, 'db'>, reviewer: Customer): Promise<ReviewCase[]> {
  const rows = await selectCases(deps)
    .where('k.status', '=', sql.lit('submitted'))
    .where('c.closed_at', 'is', null)
    .orderBy('k.submitted_at')
    .orderBy('k.id')
    .limit(LISTED)
    .execute()
  return casesOf(deps, reviewer, rows)
}

async function findCase(deps: Pick<Deps, 'db'>, caseId: string): Promise<CaseRow> {
  const row = UUID.test(caseId) && (await selectCases(deps).where('k.id', '=', caseId).executeTakeFirst())
  if (!row) throw new Refusal('not_found')
  return row
}

/** A case that was handed in. Throws Refusal `not_found`. */
export async function readCase(deps: Pick<Deps, 'db'>, reviewer: Customer, caseId: string): Promise<ReviewCase> {
  const [found] = await casesOf(deps, reviewer, [await findCase(deps, caseId)])
  if (!found) throw new Refusal('not_found')
  return found
}

/**
 * A document of a case, decrypted; that the reviewer opened it is written down first, for the bank and for the customer.
 * Throws Refusal `not_found`, or `verification_own` for the reviewer's own case.
 */
export async function openCaseDocument(
  deps: Deps,
  tools: DocumentTools,
  reviewer: Customer,
  { asker, caseId, documentId }: { asker: Asker; caseId: string; documentId: string },
): Promise<OpenedDocument> {
  const { id, customer_id: customerId } = await findCase(deps, caseId)
  if (customerId === reviewer.id) throw new Refusal('verification_own')
  const document = await openDocument(deps, tools, asker, { customerId, documentId })
  await inTransaction(deps.db, async (trx, run) => {
    const act = { act: 'open', document_id: documentId, reason: null, acted_at: deps.clock.realNow() } as const
    await trx
      .insertInto('bank.kyc_review')
      .values({ case_id: id, reviewer_id: reviewer.id, ...act })
      .execute()
    await recordSecurityEvent(deps, run, { customerId, kind: 'document_opened', caller: REVIEW_DESK })
  })
  return document
}

export type DecisionRequest = z.infer<typeof decisionRequest>

/**
 * Decides a case, once: of two reviewers who decide at the same moment, one does. Throws Refusal `not_found`,
 * `verification_own` for the reviewer's own case, `fields_missing` naming `reason` where the customer would not learn
 * why, `verification_decided` where it does not wait for a decision (any more), or other documents do by now.
 */
export async function decideCase(
  deps: Deps,
  reviewer: Customer,
  caseId: string,
  { decision, reason, submittedAt }: DecisionRequest,
): Promise<ReviewCase> {
  const found = await findCase(deps, caseId)
  if (found.customer_id === reviewer.id) throw new Refusal('verification_own')
  if (decision !== 'approve' && !reason) throw new Refusal('fields_missing', 'reason')
  await inTransaction(deps.db, async (trx, run) => {
    if (!(await lockCustomer(run, found.customer_id))) throw new Refusal('verification_decided')
    const locked = await trx
      .selectFrom('bank.kyc_case')
      .select(['status', 'submitted_at'])
      .where('id', '=', found.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const shown = submittedAt === undefined || locked.submitted_at?.getTime() === Date.parse(submittedAt)
    if (locked.status !== 'submitted' || !shown) throw new Refusal('verification_decided')
    const { id, customer_id: customerId } = found
    await settleCase(deps, run, { caseId: id, customerId, reviewerId: reviewer.id, decision, reason })
  })
  return readCase(deps, reviewer, caseId)
}
