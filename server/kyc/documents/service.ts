import { randomUUIDv7 } from 'node:crypto'
import { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { DOCUMENT_TYPES, type DocumentType, type KycStep } from '#contract/documents.ts'
import type { KycDocument } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { checkCaseOpen, isCaseOpen, lockCase } from '#server/kyc/cases/cases.ts'
import { MEDIA_OF, type MediaType } from '#server/kyc/documents/media-type.ts'
import type { DocumentClient } from '#server/kyc/documents/concurrency.ts'
import { type IncomingFile, receiveDocument } from '#server/kyc/documents/intake.ts'
import { specimenOf } from '#server/kyc/documents/specimen.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { freeMemory } from '#server/platform/process/memory.ts'
import { seal, type SealName, unseal } from '#server/platform/secrets/sealed.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** The type of all stored documents: a picture that the bank has made. */
const KEPT_AS: MediaType = 'image/jpeg'

/**
 * Returns the name under which a document's content is sealed. The content belongs to one document of one customer, and cannot
 * be opened under another row's name.
 */
export function documentSealName(documentId: string, customerId: string): SealName {
  return { kind: 'identity document', owner: `${documentId} ${customerId}` }
}

/** The step that a document proves, and its type. */
export type ProvedStep = { step: KycStep; type: DocumentType }

/** Throws Refusal `request_invalid` naming `type` if a document of this type does not prove the step. */
function checkType({ step, type }: ProvedStep): void {
  if (!Object.hasOwn(DOCUMENT_TYPES[step], type)) throw new Refusal('request_invalid', 'type')
}

/**
 * Stores an uploaded file as a customer's document for a step and replaces the previous one. Throws Refusal
 * `verification_closed` after the documents were submitted, and the refusals of `receiveDocument`.
 */
export async function uploadDocument(
  deps: Deps,
  tools: DocumentTools,
  proof: ProvedStep,
  { customer, ...incoming }: IncomingFile & { customer: Customer },
): Promise<void> {
  checkType(proof)
  await checkCaseOpen(deps, customer.id)
  await receiveDocument(tools, MEDIA_OF[proof.step], incoming, (picture) =>
    storeDocument(deps, customer, proof, picture),
  )
}

/** Stores a specimen that the bank draws as the document. Throws Refusal `not_found` if the bank accepts no specimens. */
export async function uploadSpecimen(deps: Deps, customer: Customer, proof: ProvedStep): Promise<void> {
  if (!deps.policy.kyc.specimens) throw new Refusal('not_found')
  checkType(proof)
  await checkCaseOpen(deps, customer.id)
  await storeDocument(deps, customer, proof, await specimenOf(customer, proof))
}

async function storeDocument(
  deps: Deps,
  customer: Customer,
  { step, type }: ProvedStep,
  picture: Buffer,
): Promise<void> {
  const id = randomUUIDv7()
  const size = picture.length
  const sealed = seal(deps.config, documentSealName(id, customer.id), picture)
  freeMemory(picture)
  await inTransaction(deps.db, async (trx) => {
    const { status } = await lockCase(deps, trx, customer.id)
    if (!isCaseOpen(status)) throw new Refusal('verification_closed')
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
  freeMemory(sealed)
}

/** A document as a JPEG, for a reader with permission to see it. */
export type OpenedDocument = Pick<KycDocument, 'type'> & { content: Buffer }

/** Returns a customer's document, decrypted. Throws Refusal `not_found`, also for another customer's document. */
export async function openDocument(
  deps: Deps,
  tools: DocumentTools,
  requester: DocumentClient,
  { customerId, documentId }: { customerId: string; documentId: string },
): Promise<OpenedDocument> {
  if (!isUuid(documentId)) throw new Refusal('not_found')
  const row = await deps.db
    .selectFrom('bank.kyc_document')
    .select(['type', 'media_type', 'content'])
    .where('id', '=', documentId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  const content = unseal(deps.config, documentSealName(documentId, customerId), row.content)
  freeMemory(row.content)
  if (row.media_type === KEPT_AS) return { type: row.type, content }
  const picture = await tools.rendering(requester, () =>
    tools.render(Readable.from([content]), row.media_type as MediaType),
  )
  await replaceFile(deps, { customerId, documentId }, picture)
  return { type: row.type, content: picture }
}

/**
 * Replaces a stored PDF by its picture, because earlier versions of the bank kept PDFs as uploaded. The document keeps its id.
 * Does nothing if it was deleted meanwhile.
 */
async function replaceFile(
  deps: Deps,
  { customerId, documentId }: { customerId: string; documentId: string },
  picture: Buffer,
): Promise<void> {
  const content = seal(deps.config, documentSealName(documentId, customerId), picture)
  await inTransaction(deps.db, async (trx) => {
    const oldDocument = await trx
      .deleteFrom('bank.kyc_document')
      .where('id', '=', documentId)
      .where('customer_id', '=', customerId)
      .where('media_type', '<>', KEPT_AS)
      .returning(['id', 'customer_id', 'step', 'type', 'uploaded_at'])
      .executeTakeFirst()
    if (!oldDocument) return
    await trx
      .insertInto('bank.kyc_document')
      .values({ ...oldDocument, media_type: KEPT_AS, size_bytes: picture.length, content })
      .execute()
  })
}
