import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '#contract/errors.ts'
import { DOCUMENT_TYPES, type DocumentType, type KycDocument, type KycStep } from '#contract/kyc.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { receive } from '#server/kyc/documents/arrival.ts'
import { checkOpen, isOpen, lockCase } from '#server/kyc/cases/cases.ts'
import { type CleanDocument, cleanDocument } from '#server/kyc/documents/document.ts'
import { openGate, through } from '#server/kyc/documents/gate.ts'
import { specimenOf } from '#server/kyc/documents/specimen.ts'
import { release } from '#server/platform/process/memory.ts'
import { seal, type SealName, unseal } from '#server/platform/secrets/sealed.ts'

/** Documents are held in memory one at a time, so that a burst of them costs time and not the bank. */
const workbench = openGate(1)

/** A content belongs to one document of one customer: under another row's name it does not open. */
function sealName(documentId: string, customerId: string): SealName {
  return { kind: 'identity document', owner: `${documentId} ${customerId}` }
}

/** What a document is to prove, and as what. */
export type Proof = { step: KycStep; type: DocumentType }

/** Throws Refusal `request_invalid` naming `type` where such a document does not prove the step. */
function checkType({ step, type }: Proof): void {
  if (!Object.hasOwn(DOCUMENT_TYPES[step], type)) throw new Refusal('request_invalid', 'type')
}

/**
 * Takes in an uploaded file as a customer's document of a step, in place of the one before. `declared` is the kind that
 * the request says it is. Throws Refusal: `verification_closed` once the documents were handed in, and what receive() and
 * cleanDocument() throw.
 */
export async function uploadDocument(
  deps: Deps,
  customer: Customer,
  proof: Proof,
  { incoming, declared }: { incoming: IncomingMessage; declared: string },
): Promise<void> {
  checkType(proof)
  await checkOpen(deps, customer.id)
  const arrival = await receive(incoming)
  try {
    await through(workbench, async () => {
      const bytes = await arrival.read()
      try {
        await keep(deps, customer, proof, await cleanDocument(bytes, proof.step, declared))
      } finally {
        release(bytes)
      }
    })
  } finally {
    await arrival.discard()
  }
}

/** The same with a specimen that the bank draws. Throws Refusal `not_found` where the bank takes none. */
export async function uploadSpecimen(deps: Deps, customer: Customer, proof: Proof): Promise<void> {
  if (!deps.policy.kyc.specimens) throw new Refusal('not_found')
  checkType(proof)
  await checkOpen(deps, customer.id)
  await through(workbench, async () => {
    const document = await cleanDocument(await specimenOf(customer, proof), proof.step, 'image/png')
    await keep(deps, customer, proof, document)
  })
}

async function keep(deps: Deps, customer: Customer, { step, type }: Proof, document: CleanDocument): Promise<void> {
  const id = randomUUIDv7()
  const { mediaType, content } = document
  const size = content.length
  const sealed = seal(deps.config, sealName(id, customer.id), content)
  release(content)
  await inTransaction(deps.db, async (trx, run) => {
    const { status } = await lockCase(deps, run, customer.id)
    if (!isOpen(status)) throw new Refusal('verification_closed')
    await trx.deleteFrom('bank.kyc_document').where('customer_id', '=', customer.id).where('step', '=', step).execute()
    await trx
      .insertInto('bank.kyc_document')
      .values({
        id,
        customer_id: customer.id,
        step,
        type,
        media_type: mediaType,
        size_bytes: size,
        uploaded_at: deps.clock.realNow(),
        content: sealed,
      })
      .execute()
  })
  release(sealed)
}

/** A document as it is handed to who may see it. */
export type OpenedDocument = Pick<KycDocument, 'type' | 'mediaType'> & { content: Buffer }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A customer's document, decrypted. Throws Refusal `not_found`, for another customer's too. */
export async function openDocument(
  deps: Pick<Deps, 'db' | 'config'>,
  customerId: string,
  documentId: string,
): Promise<OpenedDocument> {
  if (!UUID.test(documentId)) throw new Refusal('not_found')
  return through(workbench, async () => {
    const kept = await deps.db
      .selectFrom('bank.kyc_document')
      .select(['type', 'media_type', 'content'])
      .where('id', '=', documentId)
      .where('customer_id', '=', customerId)
      .executeTakeFirst()
    if (!kept) throw new Refusal('not_found')
    const content = unseal(deps.config, sealName(documentId, customerId), kept.content)
    release(kept.content)
    return { type: kept.type, mediaType: kept.media_type, content }
  })
}
