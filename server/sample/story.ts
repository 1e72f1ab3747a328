import { randomInt, randomUUIDv7 } from 'node:crypto'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type Card, chargeOperation, issueCards, type NewCard } from '#server/cards/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import {
  createCustomer,
  createCustomerOnce,
  type Customer,
  findCustomerByContact,
  type NewCustomer,
} from '#server/identity/customers/customers.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Operation } from '#server/ledger/types.ts'
import { alertNotices } from '#server/notifications/notices.ts'
import { notifyAll } from '#server/notifications/service.ts'
import { addContacts } from '#server/payments/contacts.ts'
import { directDebitOperation, incomingOperation } from '#server/payments/incoming.ts'
import { paymentOperation } from '#server/payments/service.ts'
import { rewardOperation } from '#server/rewards/points.ts'
import { createGoalsWithin, goalMoveOperation, type NewGoal } from '#server/savings/service.ts'
import { sampleNotices } from '#server/sample/notices.ts'
import { FRIENDS, somebody } from '#server/sample/people.ts'
import { cardPurchases, LAST_PURCHASE, MONTHS, utc } from '#server/sample/spending.ts'

/** What the current account comes to at the end of the story, cents. */
const BALANCE_MINOR = 12_458_50
export const SALARY_MINOR = 3_500_00
const BROADBAND_MINOR = 65_00
export const EMPLOYER = 'Northwind Studio'
const JOINED = utc(1, 1, 6, 30)
const DAY_MS = 86_400_000
const CARDS_EXPIRE = '2028-12-31'

const GOALS: NewGoal[] = [
  { name: 'Vacation Fund', icon: 'plane', targetMinor: 5_000_00 },
  { name: 'Emergency Fund', icon: 'umbrella', targetMinor: 10_000_00 },
  { name: 'New Car', icon: 'car', targetMinor: 15_000_00 },
]

type Player = {
  customer: Customer
  points: AccountId
  virtual: AccountId
  goals: { accountId: AccountId; name: string }[]
  card: Pick<Card, 'accountId' | 'type' | 'lastFour' | 'isVirtual'>
  friends: Customer[]
}

/**
 * Makes a sample customer, of the details given or somebody invented: a real one, with accounts, cards, goals, contacts and eight months of banking behind
 * them, from January to 28 August 2026 (or, on later days, as long), all in the ledger and all through the services that any customer's use.
 */
export async function openSampleCustomer(deps: Deps, details?: NewCustomer, key?: RequestKey): Promise<Customer> {
  const shiftMs = daysSinceEpoch(deps) * DAY_MS
  const friends = await openFriends(deps)
  const endow: Endow = (customer, trx) => tellStory(deps, trx, { customer, friends, shiftMs })
  const customer = await join(deps, { ...details, createdAt: later(JOINED, shiftMs) }, endow, key)
  // Also for who comes again: they may have been made by a server that ended here. Those that are there already stay.
  await addContacts(
    deps,
    customer,
    FRIENDS.map((friend, index) => toContact(friend, later(utc(7, 28 - index, 19), shiftMs))),
  )
  return customer
}

type Endow = NonNullable<Parameters<typeof createCustomer>[2]>

async function join(deps: Deps, given: Partial<NewCustomer> & { createdAt: Date }, endow: Endow, key?: RequestKey) {
  const create = async (person: NewCustomer) =>
    key ? (await createCustomerOnce(deps, person, key, endow)).customer : createCustomer(deps, person, endow)
  const { fullName, email } = given
  if (fullName !== undefined && email !== undefined) return create({ ...given, fullName, email })
  const person: NewCustomer = { ...somebody(), ...given }
  try {
    return await create(person)
  } catch (error) {
    if (!(error instanceof Refusal) || error.field !== 'phone') throw error
    return create({ ...person, phone: null })
  }
}

type Told = { customer: Customer; friends: Customer[]; shiftMs: number }

/** Gives a customer all that the story tells of, in the SQL transaction that makes them: nobody is seen without it. */
async function tellStory(deps: Deps, trx: Transaction<Database>, { customer, friends, shiftMs }: Told): Promise<void> {
  const [points = 0, virtual = 0] = await openAccounts(runIn(trx), [
    { holderId: customer.id, code: 'points', asset: 'POINTS' },
    { holderId: customer.id, code: 'card', asset: 'USD' },
  ])
  const goals = await createGoalsWithin(trx, customer.id, GOALS)
  const cards = newCards(customer, virtual)
  const [card] = cards
  if (!card) throw new Error('A sample customer has a card')
  await issueCards({ clock: deps.clock, db: trx }, cards)
  await tellNews(deps, trx, customer, shiftMs)
  // Last, because everybody else's payments wait for these locks.
  await deps.ledger.postWithin(runIn(trx), eventsOf({ customer, points, virtual, goals, card, friends }, shiftMs))
}

/**
 * Whole days between the story's last, on which the sample bank begins, and today: whoever comes later has lived the same months, up to their own today.
 * What is told by calendar month then falls on other days; what is told of the last seven days stays as it is.
 */
function daysSinceEpoch({ clock, policy }: Pick<Deps, 'clock' | 'policy'>): number {
  const now = clock.businessNow()
  return Math.max(0, Math.floor((now.getTime() - (policy.businessEpoch ?? now).getTime()) / DAY_MS))
}

function later(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms)
}

/** The friends, made by whichever sample customer comes first. */
async function openFriends(deps: Deps): Promise<Customer[]> {
  return Promise.all(
    FRIENDS.map(async (friend) => {
      const find = () => findCustomerByContact(deps, { kind: 'email', value: friend.email })
      const known = await find()
      if (known) return known
      try {
        return await createCustomer(deps, { ...friend, createdAt: JOINED })
      } catch (error) {
        const made = error instanceof Refusal && error.field === 'email' ? await find() : null
        if (!made) throw error
        return made
      }
    }),
  )
}

function toContact(friend: (typeof FRIENDS)[number], usedAt: Date): { name: string; address: string; usedAt: Date } {
  return { name: friend.fullName, address: friend.email, usedAt }
}

function newCards(customer: Customer, virtual: AccountId): NewCard[] {
  const common = { customerId: customer.id, type: 'debit' as const, expiresOn: CARDS_EXPIRE }
  const lastFour = (): string => String(randomInt(10_000)).padStart(4, '0')
  return [
    {
      ...common,
      accountId: customer.currentAccountId,
      name: 'Main Card',
      lastFour: lastFour(),
      isVirtual: false,
      isPrimary: true,
    },
    { ...common, accountId: virtual, name: 'Virtual Card', lastFour: lastFour(), isVirtual: true, isPrimary: false },
  ]
}

/** The whole story as operations, in the order of their dates. */
function eventsOf(player: Player, shiftMs: number): Operation[] {
  const story = [
    ...purchases(player),
    ...income(player),
    ...bills(player),
    ...saving(player),
    ...friendship(player),
    ...rewards(player),
  ]
  const { currentAccountId } = player.customer
  const opening = incomingOperation({
    accountId: currentAccountId,
    payerName: 'Transfer from my old bank',
    amountMinor: BALANCE_MINOR - story.reduce((sum, operation) => sum + effectOn(currentAccountId, operation), 0),
    category: 'top_up',
    bookedAt: JOINED,
  })
  const dated = [opening, ...story].toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime())
  return dated.map((operation) => ({ ...operation, bookedAt: later(operation.bookedAt, shiftMs) }))
}

/** What an operation does to an account's balance. */
function effectOn(account: AccountId, { legs }: Operation): number {
  return legs.reduce((sum, leg) => {
    if (leg.kind !== 'transfer') return sum
    return sum + (leg.credit === account ? leg.amountMinor : 0) - (leg.debit === account ? leg.amountMinor : 0)
  }, 0)
}

function purchases({ card, points }: Player): Operation[] {
  return cardPurchases().map(({ at, ...purchase }) =>
    chargeOperation({ card, pointsAccountId: points, bookedAt: at, ...purchase }),
  )
}

function income({ customer }: Player): Operation[] {
  const accountId = customer.currentAccountId
  const salaries = MONTHS.map(({ month }) =>
    incomingOperation({
      accountId,
      payerName: EMPLOYER,
      amountMinor: SALARY_MINOR,
      note: 'Salary',
      bookedAt: utc(month, 25, 7, 30),
    }),
  )
  return [
    ...salaries,
    incomingOperation({
      accountId,
      payerName: 'Tax Office',
      amountMinor: 212_00,
      note: 'Refund',
      bookedAt: utc(3, 17, 6),
    }),
    incomingOperation({
      accountId,
      payerName: 'Marlow & Finch',
      amountMinor: 340_00,
      note: 'Illustration',
      bookedAt: utc(8, 14, 11, 20),
    }),
  ]
}

function bills({ customer }: Player): Operation[] {
  const accountId = customer.currentAccountId
  return MONTHS.flatMap(({ month, bills: totalMinor }) => [
    directDebitOperation({
      accountId,
      payeeName: 'Brightwater Energy',
      category: 'bills',
      amountMinor: totalMinor - BROADBAND_MINOR,
      bookedAt: utc(month, 5, 6),
    }),
    directDebitOperation({
      accountId,
      payeeName: 'Fernline Broadband',
      category: 'bills',
      amountMinor: BROADBAND_MINOR,
      bookedAt: utc(month, 12, 6),
    }),
  ])
}

/** What goes into each goal and when; and what the virtual card is given. */
function saving({ customer, goals, virtual }: Player): Operation[] {
  const from = customer.currentAccountId
  const move = (goal: number, amountMinor: number, bookedAt: Date): Operation => {
    const { accountId: to, name: goalName } = goals[goal] ?? { accountId: 0, name: '' }
    const id = randomUUIDv7()
    return goalMoveOperation({ id, fingerprint: fingerprintOf('story', id), from, to, goalName, amountMinor, bookedAt })
  }
  const [vacation, emergency, car] = [0, 1, 2]
  return [
    move(emergency, 5_000_00, utc(1, 3, 11)),
    ...MONTHS.slice(0, 7).flatMap(({ month }) => [
      move(vacation, 350_00, utc(month, 26, 8)),
      move(emergency, 500_00, utc(month, 26, 8, 1)),
      move(car, 400_00, utc(month, 26, 8, 2)),
    ]),
    move(car, 400_00, utc(8, 3, 8)),
    toVirtualCard(from, virtual, 500_00, utc(6, 2, 12)),
  ]
}

function toVirtualCard(from: AccountId, to: AccountId, amountMinor: number, bookedAt: Date): Operation {
  const id = randomUUIDv7()
  const detail: Detail = {
    debitName: 'Virtual Card',
    creditName: 'Main Card',
    category: 'card',
    method: 'own_accounts',
  }
  return {
    id,
    kind: 'card.load',
    fingerprint: fingerprintOf('story', id),
    bookedAt,
    legs: [{ kind: 'transfer', debit: from, credit: to, amountMinor, detail }],
  }
}

function friendship({ customer, friends }: Player): Operation[] {
  const send = (friend: number, amountMinor: number, note: string, bookedAt: Date): Operation[] => {
    const recipient = friends[friend]
    if (!recipient) return []
    const operationId = randomUUIDv7()
    const payment = {
      debitName: recipient.fullName,
      sender: customer,
      send: { recipient: recipient.email, amountMinor, asset: 'USD' as const, note },
      key: { operationId, fingerprint: fingerprintOf('story', operationId) },
    }
    return [paymentOperation(payment, recipient, bookedAt)]
  }
  return [
    ...send(2, 18_00, 'Birthday cake', utc(2, 20, 16, 45)),
    ...send(0, 45_00, 'Dinner on Friday', utc(4, 18, 10, 5)),
    ...send(1, 32_50, 'Concert tickets', utc(7, 9, 20, 30)),
  ]
}

function rewards({ points }: Player): Operation[] {
  const reward = (earning: 'refer_friend' | 'direct_debit', bookedAt: Date): Operation =>
    rewardOperation({ pointsAccountId: points, earning, bookedAt })
  return [
    reward('direct_debit', utc(1, 4, 9)),
    reward('direct_debit', utc(1, 11, 9)),
    reward('refer_friend', utc(3, 9, 18)),
    reward('refer_friend', utc(5, 21, 18)),
  ]
}

async function tellNews(
  deps: Deps,
  trx: Transaction<Database>,
  { id: customerId }: Customer,
  shiftMs: number,
): Promise<void> {
  const { amountMinor, merchant, at } = LAST_PURCHASE
  const told = (createdAt: Date) => ({ customerId, createdAt: later(createdAt, shiftMs) })
  const salary = { amountMinor: SALARY_MINOR, asset: 'USD', name: EMPLOYER } as const
  await notifyAll(deps, trx, [
    { ...told(utc(8, 20, 9)), ...sampleNotices.newFeature, params: { feature: 'send_to_anyone' } },
    { ...told(utc(8, 25, 7, 30)), ...alertNotices.received, params: salary },
    { ...told(at), ...alertNotices.charged, params: { amountMinor, asset: 'USD', name: merchant } },
  ])
}
