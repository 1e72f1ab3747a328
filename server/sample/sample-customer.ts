import { Refusal } from '#contract/errors.ts'
import type { Transaction } from 'kysely'
import {
  createCustomer,
  createCustomerOnce,
  type Customer,
  findCustomerByContact,
  type NewCustomer,
} from '#server/identity/customers/customers.ts'
import type { Applicant } from '#server/identity/sessions/visitors.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { incomingOperation } from '#server/payments/incoming.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { openCollector } from '#server/rewards/collectors.ts'
import { rewardOperation } from '#server/rewards/points.ts'
import { FRIENDS, inventPerson } from '#server/sample/people.ts'
import { toBankZone } from '#server/platform/time-zone.ts'
import { type SampleHistoryContext, type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

/** The current account's balance at the end of the sample history, in cents. */
const BALANCE_MINOR = 12_458_50
const joined = () => sampleTime(1, 1, 6, 30)

/**
 * Creates a sample customer with the given details or invented ones. It is a real customer with accounts, cards, goals,
 * contacts and eight months of history: January to August 28, 2026, or eight months up to a later day. Each slice creates its
 * part of the history with its ordinary services, and all money goes through the ledger. Texts are in the applicant's language.
 */
export async function openSampleCustomer(
  deps: Deps,
  { key, language }: Partial<Applicant> = {},
  details?: NewCustomer,
): Promise<Customer> {
  const days = daysSinceBeginning(deps)
  const dated = (date: Date) => new Date(toBankZone(date).add({ days }).epochMilliseconds)
  const friends = await openFriends(deps)
  const translator = deps.translations.in(language ?? null)
  const endow: Endow = (customer, trx) => insertSampleHistory(deps, trx, { customer, friends, dated, translator })
  return join(deps, { ...details, createdAt: dated(joined()) }, endow, key)
}

type Endow = NonNullable<Parameters<typeof createCustomer>[2]>

async function join(
  deps: Deps,
  customerFields: Partial<NewCustomer> & { createdAt: Date },
  endow: Endow,
  key: Applicant['key'],
) {
  const create = async (person: NewCustomer) =>
    key ? (await createCustomerOnce(deps, person, key, endow)).customer : createCustomer(deps, person, endow)
  const { fullName, email } = customerFields
  if (fullName !== undefined && email !== undefined) return create({ ...customerFields, fullName, email })
  const person: NewCustomer = { ...inventPerson(), ...customerFields }
  try {
    return await create(person)
  } catch (error) {
    if (!(error instanceof Refusal) || error.field !== 'phone') throw error
    return create({ ...person, phone: null })
  }
}

/**
 * Adds the sample history to a customer in the SQL transaction that creates them, so that no reader sees a customer without it.
 */
async function insertSampleHistory(
  deps: Deps,
  trx: Transaction<Database>,
  context: Omit<SampleHistoryContext, 'pointsAccountId'>,
): Promise<void> {
  const { customer, dated, translator } = context
  // The points account starts today, because the payments of the sample history bring their own points.
  const pointsAccountId = await openCollector(trx, { customerId: customer.id, since: deps.clock.businessNow() })
  const cast = { ...context, pointsAccountId }
  const history: Operation[] = [...rewards(pointsAccountId)]
  for (const slice of deps.slices)
    if (slice.sampleHistory) history.push(...(await slice.sampleHistory(deps, trx, cast)))
  // The ledger's locks block other customers' payments, so the postings come last.
  await deps.ledger.postWithin(
    runIn(trx),
    inOrder(customer.currentAccountId, history.map(namedPoints), { dated, translator }),
  )
}

/** The part of the sample history that belongs to no other slice: a notice about a new feature. */
export const sampleNoticeHistory: SampleHistoryPart = async (deps, trx, { customer, dated }) => {
  await notifyAll(deps, trx, [
    {
      customerId: customer.id,
      createdAt: dated(sampleTime(8, 20, 9)),
      kind: 'new_feature',
      params: { feature: 'send_to_anyone' },
    },
  ])
  return []
}

/**
 * Returns the number of whole days from the first day of the sample bank until today. The sample history ends on that first
 * day. For a customer who comes later, it is shifted by this number of days, so that it ends on the customer's own first day.
 * Events on calendar dates then fall on other dates. Events of the last seven days keep their distance from today.
 */
function daysSinceBeginning({ clock, policy }: Pick<Deps, 'clock' | 'policy'>): number {
  if (policy.businessBegins === null) return 0
  const now = toBankZone(clock.businessNow()).toPlainDateTime()
  return Math.max(0, now.since(policy.businessBegins, { largestUnit: 'days' }).days)
}

/** Finds the friends, and creates them for the first sample customer. */
export async function openFriends(deps: Deps): Promise<Customer[]> {
  return Promise.all(
    FRIENDS.map(async (friend) => {
      const find = () => findCustomerByContact(deps, { kind: 'email', value: friend.email })
      const customer = await find()
      if (customer) return customer
      try {
        return await createCustomer(deps, { ...friend, createdAt: joined() })
      } catch (error) {
        const existingCustomer = error instanceof Refusal && error.field === 'email' ? await find() : null
        if (!existingCustomer) throw error
        return existingCustomer
      }
    }),
  )
}

/**
 * Sorts the operations of the sample history by time and shifts them to this customer's dates. Adds a first transfer, with
 * which the final balance is `BALANCE_MINOR`.
 */
function inOrder(
  current: AccountId,
  history: readonly Operation[],
  { dated, translator }: Pick<SampleHistoryContext, 'dated' | 'translator'>,
): Operation[] {
  const openingOperation = incomingOperation({
    accountId: current,
    payerName: translator.i18n._({ id: 'sample.opening', message: 'Transfer from my old bank' }),
    amountMinor: BALANCE_MINOR - history.reduce((sum, operation) => sum + effectOn(current, operation), 0),
    category: 'top_up',
    bookedAt: joined(),
  })
  return [openingOperation, ...history]
    .toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime())
    .map((operation) => ({ ...operation, bookedAt: dated(operation.bookedAt) }))
}

/** Adds the recipient of a payment as a note to the points that it earned. Points of later payments have the same note. */
function namedPoints(operation: Operation): Operation {
  const [paid] = operation.legs
  const note = paid?.kind === 'transfer' ? paid.detail?.debitName : undefined
  if (note === undefined) return operation
  const legs = operation.legs.map((leg) =>
    leg.kind === 'transfer' && leg.detail?.label?.startsWith('points.')
      ? { ...leg, detail: { ...leg.detail, note } }
      : leg,
  )
  return { ...operation, legs }
}

/** Returns the change that an operation makes to an account's balance. */
function effectOn(account: AccountId, { legs }: Operation): number {
  return legs.reduce((sum, leg) => {
    if (leg.kind !== 'transfer') return sum
    return sum + (leg.credit === account ? leg.amountMinor : 0) - (leg.debit === account ? leg.amountMinor : 0)
  }, 0)
}

function rewards(pointsAccountId: AccountId): Operation[] {
  const reward = (earning: 'refer_friend' | 'direct_debit', bookedAt: Date): Operation =>
    rewardOperation({ pointsAccountId, earning, bookedAt })
  return [
    reward('direct_debit', sampleTime(1, 4, 9)),
    reward('direct_debit', sampleTime(1, 11, 9)),
    reward('refer_friend', sampleTime(3, 9, 18)),
    reward('refer_friend', sampleTime(5, 21, 18)),
  ]
}
