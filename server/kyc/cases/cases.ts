import { randomUUIDv7 } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type { Kyc, KycDocument, KycStatus } from '#contract/kyc.ts'
import { KYC_STEPS } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Run } from '#server/platform/db/run.ts'

type Documented = Pick<KycDocument, 'id' | 'step' | 'type'> & {
  size_bytes: number
  uploaded_at: Date
}

const DOCUMENT_COLUMNS = ['id', 'step', 'type', 'size_bytes', 'uploaded_at'] as const

function documentOf({ id, step, type, size_bytes, uploaded_at }: Documented): KycDocument {
  return { id, step, type, size: size_bytes, uploadedAt: uploaded_at.toISOString() }
}

/** The documents of these customers, without their content, each customer's in the order of the steps. */
export async function documentsOf(
  deps: Pick<Deps, 'db'>,
  customerIds: readonly string[],
): Promise<Map<string, KycDocument[]>> {
  if (customerIds.length === 0) return new Map()
  const rows = await deps.db
    .selectFrom('bank.kyc_document')
    .select(['customer_id', ...DOCUMENT_COLUMNS])
    .where('customer_id', 'in', customerIds)
    .execute()
  const inOrder = rows.toSorted((a, b) => KYC_STEPS.indexOf(a.step) - KYC_STEPS.indexOf(b.step))
  return new Map(
    [...Map.groupBy(inOrder, (row) => row.customer_id)].map(([id, documents]) => [id, documents.map(documentOf)]),
  )
}

/** Where a customer's verification stands. */
export async function kycOf(deps: Pick<Deps, 'db' | 'policy'>, customerId: string): Promise<Kyc> {
  const [known, documents] = await Promise.all([
    deps.db
      .selectFrom('bank.kyc_case')
      .select(['status', 'reason'])
      .where('customer_id', '=', customerId)
      .executeTakeFirst(),
    documentsOf(deps, [customerId]),
  ])
  return {
    status: known?.status ?? 'required',
    reason: known?.reason ?? null,
    documents: documents.get(customerId) ?? [],
    specimens: deps.policy.kyc.specimens,
  }
}

/** Whether a case takes documents: it was not handed in yet, or they were asked for anew. */
export function isOpen(status: KycStatus): boolean {
  return status === 'required' || status === 'again'
}

/** Throws Refusal `verification_closed` where a customer's case takes no documents. */
export async function checkOpen(deps: Pick<Deps, 'db'>, customerId: string): Promise<void> {
  const known = await deps.db
    .selectFrom('bank.kyc_case')
    .select('status')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (known && !isOpen(known.status)) throw new Refusal('verification_closed')
}

/**
 * Locks a customer, as whoever changes their case does before they lock that: so does whoever closes or renames them, and
 * of two who took the locks in another order one would fail. Answers false where they have closed.
 */
export async function lockCustomer(run: Run, customerId: string): Promise<boolean> {
  const { rows } = await run(
    'SELECT 1 AS one FROM bank.customer WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE',
    [customerId],
  )
  return rows.length > 0
}

/**
 * A customer's case, locked with them until the SQL transaction that `run` belongs to ends; begun where there is none.
 * Throws Refusal `sign_in_required` where they have closed.
 */
export async function lockCase(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  customerId: string,
): Promise<{ id: string; status: KycStatus }> {
  if (!(await lockCustomer(run, customerId))) throw new Refusal('sign_in_required')
  await run(
    `INSERT INTO bank.kyc_case (id, customer_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (customer_id) DO NOTHING`,
    [randomUUIDv7(), customerId, deps.clock.realNow()],
  )
  const { rows } = await run(`SELECT id, status FROM bank.kyc_case WHERE customer_id = $1 FOR UPDATE`, [customerId])
  const [locked] = rows as { id: string; status: KycStatus }[]
  if (!locked) throw new Error('A case that was just made is not there')
  return locked
}
