import { randomUUIDv7 } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { DOCUMENT_MEDIA } from '#contract/documents.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { type Incoming, takeIn } from '#server/kyc/documents/intake.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { release } from '#server/platform/process/memory.ts'
import { seal, type SealName, unseal } from '#server/platform/secrets/sealed.ts'

/** How many pictures of receipts one customer may keep; the policy says how much room they may take. */
export const PHOTOS_MOST = 200

type Trx = Transaction<Database>
type KeepDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'policy'>

/** Whose picture of which transaction. */
type PhotoOf = { customerId: string; lineId: string }

/** A content belongs to one picture of one customer: under another row's name it does not open. */
export const sealName = (id: string, customerId: string): SealName => ({
  kind: 'receipt photo',
  owner: `${id} ${customerId}`,
})

/** Throws Refusal `photos_full` where there is no room for another one of so many bytes; the one that it replaces makes room. */
async function checkRoom(
  { policy }: Pick<Deps, 'policy'>,
  db: Deps['db'] | Trx,
  { customerId, lineId }: PhotoOf,
  bytes: number,
): Promise<void> {
  const others = await db
    .selectFrom('bank.receipt_photo')
    .select(({ fn }) => [
      fn.countAll<number>().as('number'),
      fn.coalesce(fn.sum<number>('size_bytes'), sql.lit(0)).as('bytes'),
    ])
    .where('customer_id', '=', customerId)
    .where('line_id', '<>', lineId)
    .executeTakeFirstOrThrow()
  if (others.number >= PHOTOS_MOST || others.bytes + bytes > policy.pictures.receiptsBytes)
    throw new Refusal('photos_full')
}

/**
 * Takes in an uploaded file as the picture of a transaction's receipt, in place of the one before. Throws Refusal `photos_full`,
 * and what takeIn() throws.
 */
export async function addPhoto(deps: KeepDeps, tools: DocumentTools, of: PhotoOf, incoming: Incoming): Promise<void> {
  await checkRoom(deps, deps.db, of, 1)
  await takeIn(tools, DOCUMENT_MEDIA, incoming, (picture) => keep(deps, of, picture))
}

async function keep(deps: KeepDeps, of: PhotoOf, picture: Buffer): Promise<void> {
  const { customerId, lineId } = of
  const id = randomUUIDv7()
  const size = picture.length
  const content = seal(deps.config, sealName(id, customerId), picture)
  release(picture)
  await inTransaction(deps.db, async (trx) => {
    await lockOpenCustomer(trx, customerId)
    await checkRoom(deps, trx, of, size)
    await drop(trx, of)
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
  release(content)
}

const drop = (trx: Trx, { customerId, lineId }: PhotoOf) =>
  trx.deleteFrom('bank.receipt_photo').where('customer_id', '=', customerId).where('line_id', '=', lineId).execute()

/** Removes the picture of a transaction's receipt, where there is one. */
export async function removePhoto({ db }: Pick<Deps, 'db'>, of: PhotoOf): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockOpenCustomer(trx, of.customerId)
    await drop(trx, of)
  })
}

/** The picture of a transaction's receipt, a JPEG. Throws Refusal `not_found` where there is none. */
export async function openPhoto(
  deps: Pick<Deps, 'db' | 'config'>,
  { customerId, lineId }: PhotoOf,
): Promise<{ type: 'receipt'; content: Buffer }> {
  const kept = await deps.db
    .selectFrom('bank.receipt_photo')
    .select(['id', 'content'])
    .where('customer_id', '=', customerId)
    .where('line_id', '=', lineId)
    .executeTakeFirst()
  if (!kept) throw new Refusal('not_found')
  const content = unseal(deps.config, sealName(kept.id, customerId), kept.content)
  release(kept.content)
  return { type: 'receipt', content }
}

/** All pictures of a customer's receipts, for their download: one at a time, for each may take megabytes. */
export async function* exportedPhotos(deps: Pick<Deps, 'db' | 'config'>, customerId: string) {
  const kept = await deps.db
    .selectFrom('bank.receipt_photo')
    .select(['line_id', 'added_at'])
    .where('customer_id', '=', customerId)
    .orderBy('line_id')
    .execute()
  for (const { line_id: lineId, added_at: addedAt } of kept) {
    // One that was removed meanwhile is the customer's own wish.
    const opened = await openPhoto(deps, { customerId, lineId }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') return null
      throw error
    })
    if (!opened) continue
    const jpegBase64 = opened.content.toString('base64')
    release(opened.content)
    yield { transactionId: lineId, addedAt, jpegBase64 }
  }
}
