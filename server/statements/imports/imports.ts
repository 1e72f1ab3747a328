import { dayOf } from '#server/calendar/zone.ts'
import { type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { MAX_IMPORTED_ROWS, MAX_IMPORTS, LEFT_OUT_SHOWN } from '#contract/statement-formats.ts'
import { type ImportPreview, type ImportRequest, type ImportResult, type ListedImport } from '#contract/statements.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Recipient, checkStillWanted } from '#server/platform/http/response-recipient.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { duplicateStatusesOf } from '#server/statements/imports/duplicates.ts'
import { type FoundPayment } from '#server/statements/imports/found-payments.ts'
import type { ReadOutcome, ReadFile, FileToRead } from '#server/statements/imports/read-file.ts'

/** The number of payments that a preview shows. */
const MAX_SHOWN = 5

/** The function that a separate thread runs, so that the server answers other requests while a file is read. */
const READER = { filename: import.meta.resolve('#server/statements/imports/read-file.ts'), name: 'readImport' }

type Importing = Pick<Customer, 'id' | 'language'>
type ImportDeps = Pick<Deps, 'db' | 'clock' | 'concurrencyLimits' | 'readers'>

/** The reasons for refusing a file. */
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

/** Throws a Refusal whose code begins with `import_`. */
async function readFile(
  { clock, readers }: Pick<Deps, 'clock' | 'readers'>,
  { fileName: _fileName, alike: _alike, ...request }: ImportRequest,
  language: string | null,
): Promise<ReadFile> {
  const fileToRead: FileToRead = { ...request, today: dayOf(clock.businessNow()), language }
  const outcome = (await readers.run(fileToRead, READER)) as ReadOutcome
  if ('refused' in outcome) throw new Refusal(outcome.refused)
  return outcome.read
}

/**
 * Returns the result that an import of this file would have. Stores nothing. Throws the errors of `readFile`, and Refusal
 * `import_empty`, and `too_many_requests` if the customer requests many at the same time.
 */
export const previewImport = (
  deps: ImportDeps,
  customer: Importing,
  request: ImportRequest,
  { gone }: Recipient,
): Promise<ImportPreview> =>
  deps.concurrencyLimits.imports(
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
  const { payments, leftOut, questions, ...fileDetails } = await readFile(deps, request, customer.language)
  checkStillWanted(gone)
  // A table without readable lines is no error: the customer may assign the columns and sees the reason for each line left out.
  if (payments.length === 0 && leftOut.length === 0 && fileDetails.format !== 'csv') throw new Refusal('import_empty')
  const standings = await duplicateStatusesOf(deps.db, { customerId: customer.id, gone }, payments)
  const alikeCount = standings.filter((status) => status === 'alike').length
  const days = payments.map(({ bookedOn }) => bookedOn).toSorted()
  const sumOf = (sign: 1 | -1) => payments.reduce((sum, { amountMinor }) => sum + Math.max(0, sign * amountMinor), 0)
  return {
    ...fileDetails,
    questions: alikeCount > 0 && request.alike === null ? [...questions, 'alike'] : questions,
    count: payments.length,
    duplicates: standings.filter((status) => status === 'known').length,
    alike: alikeCount,
    inMinor: sumOf(1),
    outMinor: sumOf(-1),
    asset: 'USD',
    skipped: leftOut.length,
    leftOut: leftOut.slice(0, LEFT_OUT_SHOWN),
    firstOn: days[0] ?? null,
    lastOn: days.at(-1) ?? null,
    payments: payments.slice(0, MAX_SHOWN).map(({ identity: _identity, source: _source, ...payment }) => payment),
  }
}

/**
 * Stores the payments of a file, except those that the customer already has. Imported payments appear only in the customer's
 * analytics. Throws the errors of `readFile`, and Refusal `import_unsure` if a question is open, `import_empty`,
 * `import_currency`, `imports_full`, and `too_many_requests` if the customer requests many at the same time. If the client
 * disconnects before the end, nothing is stored.
 */
export const importFile = (
  deps: ImportDeps,
  customer: Importing,
  request: ImportRequest,
  { key, gone }: { key: RequestKey } & Pick<Recipient, 'gone'>,
): Promise<ImportResult> =>
  deps.concurrencyLimits.imports(
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
  checkStillWanted(gone)
  if (questions.length > 0) throw new Refusal('import_unsure')
  if (payments.length === 0) throw new Refusal(emptyReason(leftOut))
  const { result } = await runOnce(deps, key, async (trx) => {
    await lockForImport(trx, customer.id)
    const standings = await duplicateStatusesOf(trx, { customerId: customer.id, gone }, payments)
    if (request.alike === null && standings.includes('alike')) throw new Refusal('import_unsure')
    const newPayments = payments.filter(
      (_payment, index) => standings[index] === 'new' || (standings[index] === 'alike' && request.alike === 'import'),
    )
    const counts = { id: key.operationId, added: newPayments.length, duplicates: payments.length - newPayments.length }
    // A file without new payments is not listed, because there is nothing to remove.
    if (newPayments.length === 0) return counts
    await checkRoom(trx, customer.id, newPayments.length)
    await trx
      .insertInto('bank.payment_import')
      .values({
        id: key.operationId,
        customer_id: customer.id,
        file_name: request.fileName,
        imported_at: deps.clock.businessNow(),
      })
      .execute()
    await insertPayments(trx, { customerId: customer.id, importId: key.operationId }, newPayments)
    // If the request was canceled meanwhile, this throws and rolls the import back.
    checkStillWanted(gone)
    return counts
  })
  return result
}

/** Returns why a file has no payments: `import_currency` if all its lines are in other currencies, or else `import_empty`. */
function emptyReason(leftOut: ReadFile['leftOut']): 'import_currency' | 'import_empty' {
  const isForeign = leftOut.length > 0 && leftOut.every(({ reason }) => reason === 'currency')
  return isForeign ? 'import_currency' : 'import_empty'
}

/** Locks the customer for an import. Two simultaneous imports could fill the same room or add the same payment twice. */
async function lockForImport(trx: Transaction<Database>, customerId: string): Promise<void> {
  // A customer who closes at the same moment gets no new import.
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
  if (imports >= MAX_IMPORTS || rows + count > MAX_IMPORTED_ROWS) throw new Refusal('imports_full')
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

/** Returns a customer's imports, newest first. */
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

/** Deletes an import with all its payments. Throws Refusal `not_found`. */
export async function removeImport({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<void> {
  const removedImport = await db
    .deleteFrom('bank.payment_import')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .returning('id')
    .executeTakeFirst()
  if (!removedImport) throw new Refusal('not_found')
}

/** Yields all payments that a customer has imported, oldest import first, for the download of their data. */
export async function* exportImportedPayments({ db }: Pick<Deps, 'db'>, customerId: string) {
  const rows = everyPage(
    (afterId: number | null) =>
      db
        .selectFrom('bank.imported_payment')
        .innerJoin('bank.payment_import', 'bank.payment_import.id', 'import_id')
        .select(['bank.imported_payment.id', 'file_name', 'amount_minor', 'asset', 'name', 'category', 'booked_on'])
        .where('bank.imported_payment.customer_id', '=', customerId)
        .where('bank.imported_payment.id', '>', afterId ?? 0)
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

/** Deletes a customer's imports when the customer closes. The payments were never money of this bank. */
export async function forgetImports(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.deleteFrom('bank.payment_import').where('customer_id', '=', customerId).execute()
}
