import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { KycStatus } from '#contract/documents.ts'
import type { Kyc, KycDocument } from '#contract/kyc.ts'
import { KYC_STEPS } from '#contract/documents.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

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
 * A customer's case, locked with them until the SQL transaction ends; begun where there is none.
 * Throws Refusal `sign_in_required` where they have closed.
 */
export async function lockCase(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
): Promise<{ id: string; status: KycStatus }> {
  await lockOpenCustomer(trx, customerId)
  await trx
    .insertInto('bank.kyc_case')
    .values({ id: randomUUIDv7(), customer_id: customerId, created_at: deps.clock.realNow() })
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .execute()
  const locked = await trx
    .selectFrom('bank.kyc_case')
    .select(['id', 'status'])
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw new Error('A case that was just made is not there')
  return locked
}
