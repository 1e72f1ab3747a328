import { randomUUIDv7 } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { DOCUMENT_MEDIA } from '#contract/documents.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { type IncomingFile, receiveDocument } from '#server/kyc/documents/intake.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { freeMemory } from '#server/platform/process/memory.ts'
import { seal, type SealName, unseal } from '#server/platform/secrets/sealed.ts'

/** The maximum number of receipt pictures of one customer. The policy limits their total size. */
export const MAX_PHOTOS = 200

type Trx = Transaction<Database>
type KeepDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'policy'>

/** The customer and the transaction that a picture belongs to. */
type PhotoOf = { customerId: string; lineId: string }

/**
 * Returns the name that binds encrypted content to one picture of one customer. The content cannot be decrypted for another
 * row.
 */
export const photoSealName = (id: string, customerId: string): SealName => ({
  kind: 'receipt photo',
  owner: `${id} ${customerId}`,
})

/**
 * Throws Refusal `photos_full` if there is no room for another picture of this many bytes. The earlier picture of the same
 * transaction does not count, because the new one replaces it.
 */
async function checkRoom(
  { policy }: Pick<Deps, 'policy'>,
  db: Deps['db'] | Trx,
  { customerId, lineId }: PhotoOf,
  bytes: number,
): Promise<void> {
  const storedPhotos = await db
    .selectFrom('bank.receipt_photo')
    .select(({ fn }) => [
      fn.countAll<number>().as('number'),
      fn.coalesce(fn.sum<number>('size_bytes'), sql.lit(0)).as('bytes'),
    ])
    .where('customer_id', '=', customerId)
    .where('line_id', '<>', lineId)
    .executeTakeFirstOrThrow()
  if (storedPhotos.number >= MAX_PHOTOS || storedPhotos.bytes + bytes > policy.pictures.receiptsBytes)
    throw new Refusal('photos_full')
}

/**
 * Stores an uploaded file as the picture of a transaction's receipt, in place of the earlier one. Throws Refusal `photos_full`,
 * and the errors of `receiveDocument`.
 */
export async function addPhoto(
  deps: KeepDeps,
  tools: DocumentTools,
  photoOf: PhotoOf,
  incoming: IncomingFile,
): Promise<void> {
  await checkRoom(deps, deps.db, photoOf, 1)
  await receiveDocument(tools, DOCUMENT_MEDIA, incoming, (picture) => storePhoto(deps, photoOf, picture))
}

async function storePhoto(deps: KeepDeps, photoOf: PhotoOf, picture: Buffer): Promise<void> {
  const { customerId, lineId } = photoOf
  const id = randomUUIDv7()
  const size = picture.length
  const content = seal(deps.config, photoSealName(id, customerId), picture)
  freeMemory(picture)
  await inTransaction(deps.db, async (trx) => {
    await lockOpenCustomer(trx, customerId)
    await checkRoom(deps, trx, photoOf, size)
    await drop(trx, photoOf)
    await trx
      .insertInto('bank.receipt_photo')
      .values({
        id,
        customer_id: customerId,
        line_id: lineId,
        size_bytes: size,
        added_at: deps.clock.businessNow(),
        content,
      })
      .execute()
  })
  freeMemory(content)
}

const drop = (trx: Trx, { customerId, lineId }: PhotoOf) =>
  trx.deleteFrom('bank.receipt_photo').where('customer_id', '=', customerId).where('line_id', '=', lineId).execute()

/** Removes the picture of a transaction's receipt, if there is one. */
export async function removePhoto({ db }: Pick<Deps, 'db'>, photoOf: PhotoOf): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockOpenCustomer(trx, photoOf.customerId)
    await drop(trx, photoOf)
  })
}

/** Returns the picture of a transaction's receipt as a JPEG. Throws Refusal `not_found` if none exists. */
export async function openPhoto(
  deps: Pick<Deps, 'db' | 'config'>,
  { customerId, lineId }: PhotoOf,
): Promise<{ type: 'receipt'; content: Buffer }> {
  const photo = await deps.db
    .selectFrom('bank.receipt_photo')
    .select(['id', 'content'])
    .where('customer_id', '=', customerId)
    .where('line_id', '=', lineId)
    .executeTakeFirst()
  if (!photo) throw new Refusal('not_found')
  const content = unseal(deps.config, photoSealName(photo.id, customerId), photo.content)
  freeMemory(photo.content)
  return { type: 'receipt', content }
}

/**
 * Yields all pictures of a customer's receipts for the data download. It reads one picture at a time, because each may have
 * megabytes.
 */
export async function* exportPhotos(deps: Pick<Deps, 'db' | 'config'>, customerId: string) {
  const photos = await deps.db
    .selectFrom('bank.receipt_photo')
    .select(['line_id', 'added_at'])
    .where('customer_id', '=', customerId)
    .orderBy('line_id')
    .execute()
  for (const { line_id: lineId, added_at: addedAt } of photos) {
    // The customer may have removed the picture meanwhile.
    const openedPhoto = await openPhoto(deps, { customerId, lineId }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') return null
      throw error
    })
    if (!openedPhoto) continue
    const jpegBase64 = openedPhoto.content.toString('base64')
    freeMemory(openedPhoto.content)
    yield { transactionId: lineId, addedAt, jpegBase64 }
  }
}
