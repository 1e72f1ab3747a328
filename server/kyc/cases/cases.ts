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

/** Returns the documents of these customers without their content, in the order of the steps. */
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

/** Returns the state of a customer's verification. */
export async function kycOf(deps: Pick<Deps, 'db' | 'policy'>, customerId: string): Promise<Kyc> {
  const [kycCase, documents] = await Promise.all([
    deps.db
      .selectFrom('bank.kyc_case')
      .select(['status', 'reason'])
      .where('customer_id', '=', customerId)
      .executeTakeFirst(),
    documentsOf(deps, [customerId]),
  ])
  return {
    status: kycCase?.status ?? 'required',
    reason: kycCase?.reason ?? null,
    documents: documents.get(customerId) ?? [],
    specimens: deps.policy.kyc.specimens,
  }
}

/** Returns whether a case accepts documents: it was not submitted yet, or the bank asks for the documents again. */
export function isCaseOpen(status: KycStatus): boolean {
  return status === 'required' || status === 'again'
}

/** Throws Refusal `verification_closed` if a customer's case accepts no documents. */
export async function checkCaseOpen(deps: Pick<Deps, 'db'>, customerId: string): Promise<void> {
  const row = await deps.db
    .selectFrom('bank.kyc_case')
    .select('status')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (row && !isCaseOpen(row.status)) throw new Refusal('verification_closed')
}

/**
 * Locks a customer and their case until the SQL transaction ends. Creates a missing case. Throws Refusal `sign_in_required` if
 * the customer has closed their account.
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
  if (!locked) throw new Error('A case that was just created is missing')
  return locked
}
