import { dayOf } from '#server/calendar/zone.ts'
import { type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { IMPORTED_ROWS_MOST, IMPORTS_MOST, LEFT_OUT_SHOWN } from '#contract/statement-formats.ts'
import { type ImportPreview, type ImportRequest, type ImportResult, type ListedImport } from '#contract/statements.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Recipient, stillWanted } from '#server/platform/http/recipient.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import { standingsOf } from '#server/statements/imports/alike.ts'
import { type FoundPayment } from '#server/statements/imports/found.ts'
import type { Outcome, ReadFile, Reading } from '#server/statements/imports/read.ts'

/** How many payments a preview shows. */
const SHOWN = 5

/** What is run in a thread of its own: while a file is read, others are answered. */
const READER = { filename: import.meta.resolve('#server/statements/imports/read.ts'), name: 'readApart' }

type Importing = Pick<Customer, 'id' | 'language'>
type ImportDeps = Pick<Deps, 'db' | 'clock' | 'shares' | 'readers'>

/** What is wrong with a file. */
export const READING_REFUSALS = [
  'import_too_large',
  'import_too_long',
  'import_unreadable',
  'import_charset',
  'import_empty',
  'import_amount_too_large',
  'import_currency',
  'import_columns',
  'import_is_own',
] as const

/** Throws Refusal, of which each begins with `import_`. */
async function readFile(
  { clock, readers }: Pick<Deps, 'clock' | 'readers'>,
  { fileName: _fileName, alike: _alike, ...request }: ImportRequest,
  language: string | null,
): Promise<ReadFile> {
  const reading: Reading = { ...request, today: dayOf(clock.businessNow()), language }
  const outcome = (await readers.run(reading, READER)) as Outcome
  if ('refused' in outcome) throw new Refusal(outcome.refused)
  return outcome.read
}

/**
 * What importing a file would come to. Nothing is kept of it. Throws what `readFile` does, and Refusal `import_empty`, and
 * `too_many_requests` for many at once.
 */
export const previewImport = (
  deps: ImportDeps,
  customer: Importing,
  request: ImportRequest,
  { gone }: Recipient,
): Promise<ImportPreview> =>
  deps.shares.imports(
    customer.id,
    () => previewNow(deps, customer, request, gone),
    () => !gone.aborted,
  )

async function previewNow(
  deps: ImportDeps,
  customer: Importing,
  request: ImportRequest,
  gone: AbortSignal,
): Promise<ImportPreview> {
  const { payments, leftOut, questions, ...read } = await readFile(deps, request, customer.language)
  stillWanted(gone)
  // The customer may say themselves which column of a table is what, and sees why each line is left out.
  if (payments.length === 0 && leftOut.length === 0 && read.format !== 'csv') throw new Refusal('import_empty')
  const standings = await standingsOf(deps.db, { customerId: customer.id, gone }, payments)
  const alike = standings.filter((standing) => standing === 'alike').length
  const days = payments.map(({ bookedOn }) => bookedOn).toSorted()
  const sumOf = (sign: 1 | -1) => payments.reduce((sum, { amountMinor }) => sum + Math.max(0, sign * amountMinor), 0)
  return {
    ...read,
    questions: alike > 0 && request.alike === null ? [...questions, 'alike'] : questions,
    count: payments.length,
    duplicates: standings.filter((standing) => standing === 'known').length,
    alike,
    inMinor: sumOf(1),
    outMinor: sumOf(-1),
    asset: 'USD',
    skipped: leftOut.length,
    leftOut: leftOut.slice(0, LEFT_OUT_SHOWN),
    firstOn: days[0] ?? null,
    lastOn: days.at(-1) ?? null,
    payments: payments.slice(0, SHOWN).map(({ identity: _identity, source: _source, ...payment }) => payment),
  }
}

/**
 * Keeps the payments of a file, but for those that the customer has from another; they count in their analytics alone. Throws what `readFile`
 * does, and Refusal `import_empty`, `imports_full`, and `too_many_requests` for many at once: each that waited for the one
 * before would hold a connection to the database, which others need. Nothing is kept where the caller hangs up before it is done.
 */
export const importFile = (
  deps: ImportDeps,
  customer: Importing,
  request: ImportRequest,
  { key, gone }: { key: RequestKey } & Pick<Recipient, 'gone'>,
): Promise<ImportResult> =>
  deps.shares.imports(
    customer.id,
    () => importNow(deps, customer, request, { key, gone }),
    () => !gone.aborted,
  )

async function importNow(
  deps: ImportDeps,
  customer: Importing,
  request: ImportRequest,
  { key, gone }: { key: RequestKey } & Pick<Recipient, 'gone'>,
): Promise<ImportResult> {
  const { payments, leftOut, questions } = await readFile(deps, request, customer.language)
  stillWanted(gone)
  if (questions.length > 0) throw new Refusal('import_unsure')
  if (payments.length === 0) throw new Refusal(emptyReason(leftOut))
  const { result } = await once(deps, key, async (trx) => {
    await lockForImport(trx, customer.id)
    const standings = await standingsOf(trx, { customerId: customer.id, gone }, payments)
    if (request.alike === null && standings.includes('alike')) throw new Refusal('import_unsure')
    const fresh = payments.filter(
      (_payment, index) => standings[index] === 'new' || (standings[index] === 'alike' && request.alike === 'import'),
    )
    const counts = { id: key.operationId, added: fresh.length, duplicates: payments.length - fresh.length }
    // A file of nothing new is none that anybody would remove.
    if (fresh.length === 0) return counts
    await checkRoom(trx, customer.id, fresh.length)
    await trx
      .insertInto('bank.payment_import')
      .values({
        id: key.operationId,
        customer_id: customer.id,
        file_name: request.fileName,
        imported_at: deps.clock.businessNow(),
      })
      .execute()
    await insertPayments(trx, { customerId: customer.id, importId: key.operationId }, fresh)
    // Who cancelled meanwhile finds nothing of it.
    stillWanted(gone)
    return counts
  })
  return result
}

/** Why a file has no payments: each line that is left out is in another currency, or there is nothing. */
function emptyReason(leftOut: ReadFile['leftOut']): 'import_currency' | 'import_empty' {
  const isForeign = leftOut.length > 0 && leftOut.every(({ reason }) => reason === 'currency')
  return isForeign ? 'import_currency' : 'import_empty'
}

/** One import of a customer at a time: two neither have room in the same place nor add the same payment. */
async function lockForImport(trx: Transaction<Database>, customerId: string): Promise<void> {
  // Nothing is kept for whoever closes at the same moment.
  await lockOpenCustomer(trx, customerId)
}

async function checkRoom(trx: Transaction<Database>, customerId: string, count: number): Promise<void> {
  const { imports } = await trx
    .selectFrom('bank.payment_import')
    .select(({ fn }) => fn.countAll<number>().as('imports'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  const { rows } = await trx
    .selectFrom('bank.imported_payment')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  if (imports >= IMPORTS_MOST || rows + count > IMPORTED_ROWS_MOST) throw new Refusal('imports_full')
}

type Whose = { customerId: string; importId: string }

async function insertPayments(
  trx: Transaction<Database>,
  { customerId, importId }: Whose,
  payments: readonly FoundPayment[],
): Promise<void> {
  await runIn(trx)(
    `INSERT INTO bank.imported_payment
            (customer_id, import_id, booked_on, amount_minor, asset, name, category, identity, source)
     SELECT $1::uuid, $2::uuid, found.*
       FROM unnest($3::date[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
            AS found (booked_on, amount_minor, asset, name, category, identity, source)`,
    [
      customerId,
      importId,
      payments.map(({ bookedOn }) => bookedOn),
      payments.map(({ amountMinor }) => amountMinor),
      payments.map(({ asset }) => asset),
      payments.map(({ name }) => name),
      payments.map(({ category }) => category),
      payments.map(({ identity }) => identity),
      payments.map(({ source }) => source),
    ],
  )
}

/** A customer's imports, newest first. */
export async function listImports({ db }: Pick<Deps, 'db'>, customerId: string): Promise<ListedImport[]> {
  const rows = await db
    .selectFrom('bank.payment_import')
    .leftJoin('bank.imported_payment', 'import_id', 'bank.payment_import.id')
    .select(['bank.payment_import.id', 'file_name', 'imported_at'])
    .select(({ fn }) => fn.count<number>('bank.imported_payment.id').as('count'))
    .select(({ fn }) => [
      fn.min<string | null>('booked_on').as('first_on'),
      fn.max<string | null>('booked_on').as('last_on'),
    ])
    .where('bank.payment_import.customer_id', '=', customerId)
    .groupBy('bank.payment_import.id')
    .orderBy('imported_at', 'desc')
    .orderBy('bank.payment_import.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    fileName: row.file_name,
    importedAt: row.imported_at.toISOString(),
    count: row.count,
    firstOn: row.first_on,
    lastOn: row.last_on,
  }))
}

/** Forgets an import with all that is in it. Throws Refusal `not_found`. */
export async function removeImport({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<void> {
  const removed = await db
    .deleteFrom('bank.payment_import')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new Refusal('not_found')
}

/** All that a customer has imported, oldest import first, for their download. */
export async function* exportedPayments({ db }: Pick<Deps, 'db'>, customerId: string) {
  const rows = everyPage(
    (after: number | null) =>
      db
        .selectFrom('bank.imported_payment')
        .innerJoin('bank.payment_import', 'bank.payment_import.id', 'import_id')
        .select(['bank.imported_payment.id', 'file_name', 'amount_minor', 'asset', 'name', 'category', 'booked_on'])
        .where('bank.imported_payment.customer_id', '=', customerId)
        .where('bank.imported_payment.id', '>', after ?? 0)
        .orderBy('bank.imported_payment.id')
        .limit(PAGE_SIZE)
        .execute(),
    ({ id }) => id,
  )
  for await (const {
    file_name: fileName,
    booked_on: bookedOn,
    amount_minor: amountMinor,
    name,
    asset,
    category,
  } of rows)
    yield { fileName, bookedOn, name, amountMinor, asset, category }
}

/** What is forgotten when a customer closes: it was never money of this bank. */
export async function forgetImports(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.deleteFrom('bank.payment_import').where('customer_id', '=', customerId).execute()
}
