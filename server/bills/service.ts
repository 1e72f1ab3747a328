import type { Selectable } from 'kysely'
import { type Bill, MAX_PEOPLE, type SplitRequest } from '#contract/bills.ts'
import { Refusal } from '#contract/errors.ts'
import { divide } from '#contract/division.ts'
import { billSharesOf, billStatusOf } from '#server/bills/bill-status.ts'
import { readContact } from '#server/identity/customers/contact.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { readTransaction } from '#server/accounts/service.ts'
import { rememberContact } from '#server/payments/contacts.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { createRequestsWithin } from '#server/requests/create-request.ts'
import { cancelRequestsWithin } from '#server/requests/end-request.ts'

type BillRow = Selectable<Database['bank.bill']>

/** Returns the people among whom a bill is split, with normalized addresses. Throws a Refusal if the list is invalid. */
function peopleOf<Person extends { address: string; name: string }>(customer: Customer, people: readonly Person[]) {
  if (people.length > MAX_PEOPLE) throw new Refusal('people_too_many', 'people')
  const peopleWithContacts = people.map((person) => ({
    ...person,
    contact: readContact(person.address, customer.phone),
  }))
  if (peopleWithContacts.some(({ contact }) => contact === null)) throw new Refusal('recipient_invalid', 'people')
  if (new Set(peopleWithContacts.map(({ contact }) => contact?.value)).size < peopleWithContacts.length)
    throw new Refusal('people_twice', 'people')
  return peopleWithContacts
}

/**
 * Splits a bill that the customer has paid: each other person receives a request for their share. If one request is refused, no
 * request is made. `totalMinor` is US cents. Throws Refusal `people_missing`, `people_too_many`, `recipient_invalid`,
 * `people_twice`, `shares_differ`, `amount_invalid`, `transaction_not_found` if the payment is not the customer's, and the
 * refusals of requests: `request_to_self`, `amount_too_large`, `too_many_requests`.
 */
export async function splitBill(deps: Deps, customer: Customer, split: SplitRequest, key: RequestKey): Promise<Bill> {
  const people = peopleOf(customer, split.people)
  const { ownMinor, othersMinor } = divide(split.totalMinor, split)
  if (split.transactionId) await readTransaction(deps, customer, split.transactionId)
  const { totalMinor, asset, description } = split
  const { result: id } = await runOnce(deps, key, async (trx) => {
    const requests = people.map(({ address }, index) => ({
      recipient: address,
      amountMinor: othersMinor[index] ?? 0,
      note: description,
    }))
    const requestIds = await createRequestsWithin(deps, trx, customer, requests)
    await trx
      .insertInto('bank.bill')
      .values({
        id: key.operationId,
        owner_id: customer.id,
        total_minor: totalMinor,
        own_minor: ownMinor,
        asset,
        description: description ?? null,
        operation_id: split.transactionId ?? null,
        created_at: deps.clock.businessNow(),
      })
      .execute()
    await trx
      .insertInto('bank.bill_share')
      .values(
        people.map(({ name }, place) => ({
          bill_id: key.operationId,
          place,
          name,
          amount_minor: othersMinor[place] ?? 0,
          request_id: requestIds[place] ?? null,
        })),
      )
      .execute()
    return key.operationId
  })
  for (const { contact, address, name } of people) {
    if (!contact) continue
    const used = { ownerId: customer.id, address: contact.value, displayAddress: address, name }
    rememberContact(deps, { ...used, usedAt: deps.clock.businessNow(), paid: false }, null)
  }
  return readBill(deps, customer.id, id)
}

function selectBills(deps: Pick<Deps, 'db'>, ownerId: string) {
  return deps.db.selectFrom('bank.bill').selectAll().where('owner_id', '=', ownerId).where('group_id', 'is', null)
}

async function billsWithShares(deps: Pick<Deps, 'db' | 'clock'>, rows: readonly BillRow[]): Promise<Bill[]> {
  const shares = await billSharesOf(
    deps,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const billShares = shares.get(row.id) ?? []
    return {
      id: row.id,
      description: row.description,
      totalMinor: row.total_minor,
      asset: row.asset,
      ownMinor: row.own_minor,
      paidMinor: billShares.reduce((sum, { paidMinor }) => sum + paidMinor, 0),
      status: billStatusOf(billShares),
      createdAt: row.created_at.toISOString(),
      shares: billShares,
    }
  })
}

/** Reads one of the customer's bills. Throws Refusal `not_found`. */
export async function readBill(deps: Pick<Deps, 'db' | 'clock'>, ownerId: string, id: string): Promise<Bill> {
  const rows = await selectBills(deps, ownerId).where('id', '=', id).execute()
  const [bill] = await billsWithShares(deps, rows)
  if (!bill) throw new Refusal('not_found')
  return bill
}

/** Reads a page of the bills a customer has split, newest first. `after` is the id of the last bill of the previous page. */
export async function billsOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  ownerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Bill[]> {
  let query = selectBills(deps, ownerId)
  if (after !== null) {
    query = query.where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('created_at', 'id'),
        '<',
        selectFrom('bank.bill as last')
          .select(['last.created_at', 'last.id'])
          .where('last.id', '=', after)
          .$asTuple('created_at', 'id'),
      ),
    )
  }
  return billsWithShares(deps, await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute())
}

/** Reads all bills, page by page, for a customer's data export. */
export const everyBill = (deps: Pick<Deps, 'db' | 'clock'>, ownerId: string) =>
  everyPage(
    (after: string | null) => billsOf(deps, ownerId, { after, limit: PAGE_SIZE }),
    ({ id }) => id,
  )

/** Cancels the unpaid requests of a bill; paid shares stay paid. Throws Refusal `not_found` or `bill_not_open`. */
export async function cancelBill(deps: Deps, customer: Customer, id: string, key: RequestKey): Promise<Bill> {
  await runOnce(deps, key, async (trx) => {
    const { shares } = await readBill({ ...deps, db: trx }, customer.id, id)
    const requestIds = shares.map(({ requestId }) => requestId)
    if ((await cancelRequestsWithin(deps, trx, requestIds)) === 0) throw new Refusal('bill_not_open')
    return null
  })
  return readBill(deps, customer.id, id)
}
