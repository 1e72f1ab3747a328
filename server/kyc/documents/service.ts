import { randomUUIDv7 } from 'node:crypto'
import { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { DOCUMENT_TYPES, type DocumentType, type KycStep } from '#contract/documents.ts'
import type { KycDocument } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { checkOpen, isOpen, lockCase } from '#server/kyc/cases/cases.ts'
import { MEDIA_OF, type MediaType } from '#server/kyc/documents/media-type.ts'
import type { Asker } from '#server/kyc/documents/concurrency.ts'
import { type Incoming, takeIn } from '#server/kyc/documents/intake.ts'
import { specimenOf } from '#server/kyc/documents/specimen.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { release } from '#server/platform/process/memory.ts'
import { seal, type SealName, unseal } from '#server/platform/secrets/sealed.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** Every document is kept as a picture that the bank made. */
const KEPT_AS: MediaType = 'image/jpeg'

/** A content belongs to one document of one customer: under another row's name it does not open. */
export function sealName(documentId: string, customerId: string): SealName {
  return { kind: 'identity document', owner: `${documentId} ${customerId}` }
}

/** What a document is to prove, and as what. */
export type Proof = { step: KycStep; type: DocumentType }

/** Throws Refusal `request_invalid` naming `type` where such a document does not prove the step. */
function checkType({ step, type }: Proof): void {
  if (!Object.hasOwn(DOCUMENT_TYPES[step], type)) throw new Refusal('request_invalid', 'type')
}

/**
 * Takes in an uploaded file as a customer's document of a step, in place of the one before. Throws Refusal
 * `verification_closed` once the documents were handed in, and what takeIn() throws.
 */
export async function uploadDocument(
  deps: Deps,
  tools: DocumentTools,
  proof: Proof,
  { customer, ...incoming }: Incoming & { customer: Customer },
): Promise<void> {
  checkType(proof)
  await checkOpen(deps, customer.id)
  await takeIn(tools, MEDIA_OF[proof.step], incoming, (picture) => keep(deps, customer, proof, picture))
}

/** The same with a specimen that the bank draws. Throws Refusal `not_found` where the bank takes none. */
export async function uploadSpecimen(deps: Deps, customer: Customer, proof: Proof): Promise<void> {
  if (!deps.policy.kyc.specimens) throw new Refusal('not_found')
  checkType(proof)
  await checkOpen(deps, customer.id)
  await keep(deps, customer, proof, await specimenOf(customer, proof))
}

async function keep(deps: Deps, customer: Customer, { step, type }: Proof, picture: Buffer): Promise<void> {
  const id = randomUUIDv7()
  const size = picture.length
  const sealed = seal(deps.config, sealName(id, customer.id), picture)
  release(picture)
  await inTransaction(deps.db, async (trx) => {
    const { status } = await lockCase(deps, trx, customer.id)
    if (!isOpen(status)) throw new Refusal('verification_closed')
    await trx.deleteFrom('bank.kyc_document').where('customer_id', '=', customer.id).where('step', '=', step).execute()
    await trx
      .insertInto('bank.kyc_document')
      .values({
        id,
        customer_id: customer.id,
        step,
        type,
        media_type: KEPT_AS,
        size_bytes: size,
        uploaded_at: deps.clock.realNow(),
        content: sealed,
      })
      .execute()
  })
  release(sealed)
}

/** A document as it is handed to who may see it: a JPEG. */
export type OpenedDocument = Pick<KycDocument, 'type'> & { content: Buffer }

/** A customer's document, decrypted. Throws Refusal `not_found`, for another customer's too. */
export async function openDocument(
  deps: Deps,
  tools: DocumentTools,
  asker: Asker,
  { customerId, documentId }: { customerId: string; documentId: string },
): Promise<OpenedDocument> {
  if (!isUuid(documentId)) throw new Refusal('not_found')
  const kept = await deps.db
    .selectFrom('bank.kyc_document')
    .select(['type', 'media_type', 'content'])
    .where('id', '=', documentId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!kept) throw new Refusal('not_found')
  const content = unseal(deps.config, sealName(documentId, customerId), kept.content)
  release(kept.content)
  if (kept.media_type === KEPT_AS) return { type: kept.type, content }
  const picture = await tools.rendering(asker, () =>
    tools.render(Readable.from([content]), kept.media_type as MediaType),
  )
  await replaceFile(deps, { customerId, documentId }, picture)
  return { type: kept.type, content: picture }
}

/**
 * Puts the picture of a document where its file was: PDFs were once kept as they came. The document stays the same one,
 * as far as it is still there.
 */
async function replaceFile(
  deps: Deps,
  { customerId, documentId }: { customerId: string; documentId: string },
  picture: Buffer,
): Promise<void> {
  const content = seal(deps.config, sealName(documentId, customerId), picture)
  await inTransaction(deps.db, async (trx) => {
    const replaced = await trx
      .deleteFrom('bank.kyc_document')
      .where('id', '=', documentId)
      .where('customer_id', '=', customerId)
      .where('media_type', '<>', KEPT_AS)
      .returning(['id', 'customer_id', 'step', 'type', 'uploaded_at'])
      .executeTakeFirst()
    if (!replaced) return
    await trx
      .insertInto('bank.kyc_document')
      .values({ ...replaced, media_type: KEPT_AS, size_bytes: picture.length, content })
      .execute()
  })
}
