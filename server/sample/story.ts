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
import { FRIENDS, somebody } from '#server/sample/people.ts'
import { zoned } from '#server/platform/time-zone.ts'
import { type StoryCast, type StoryPart, storyTime } from '#server/story/part.ts'

/** What the current account comes to at the end of the story, cents. */
const BALANCE_MINOR = 12_458_50
const joined = () => storyTime(1, 1, 6, 30)

/**
 * Makes a sample customer, of the details given or somebody invented: a real one, with accounts, cards, goals, contacts
 * and eight months of banking behind them, from January to 28 August 2026 (or, on later days, as long). What the
 * slices tell of them goes through the services that any customer's does, and all of it into the ledger. What people
 * wrote in those months is in the applicant's language.
 */
export async function openSampleCustomer(
  deps: Deps,
  { key, language }: Partial<Applicant> = {},
  details?: NewCustomer,
): Promise<Customer> {
  const days = daysSinceBeginning(deps)
  const dated = (date: Date) => new Date(zoned(date).add({ days }).epochMilliseconds)
  const friends = await openFriends(deps)
  const say = deps.translations.in(language ?? null)
  const endow: Endow = (customer, trx) => tellStory(deps, trx, { customer, friends, dated, say })
  return join(deps, { ...details, createdAt: dated(joined()) }, endow, key)
}

type Endow = NonNullable<Parameters<typeof createCustomer>[2]>

async function join(
  deps: Deps,
  given: Partial<NewCustomer> & { createdAt: Date },
  endow: Endow,
  key: Applicant['key'],
) {
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

/** Gives a customer all that the story tells of, in the SQL transaction that makes them: nobody is seen without it. */
async function tellStory(
  deps: Deps,
  trx: Transaction<Database>,
  told: Omit<StoryCast, 'pointsAccountId'>,
): Promise<void> {
  const { customer, dated, say } = told
  // What the story tells of has earned what it earns.
  const pointsAccountId = await openCollector(trx, { customerId: customer.id, since: deps.clock.businessNow() })
  const cast = { ...told, pointsAccountId }
  const story: Operation[] = [...rewards(pointsAccountId)]
  for (const slice of deps.slices) if (slice.story) story.push(...(await slice.story(deps, trx, cast)))
  // Last, because everybody else's payments wait for these locks.
  await deps.ledger.postWithin(runIn(trx), inOrder(customer.currentAccountId, story.map(namedPoints), { dated, say }))
}

/** The sample bank's own part. */
export const sampleStory: StoryPart = async (deps, trx, { customer, dated }) => {
  await notifyAll(deps, trx, [
    {
      customerId: customer.id,
      createdAt: dated(storyTime(8, 20, 9)),
      kind: 'new_feature',
      params: { feature: 'send_to_anyone' },
    },
  ])
  return []
}

/**
 * Whole days between the story's last, on which the sample bank begins, and today: whoever comes later has lived the same months, up to their own today.
 * What is told by calendar month then falls on other days; what is told of the last seven days stays as it is.
 */
function daysSinceBeginning({ clock, policy }: Pick<Deps, 'clock' | 'policy'>): number {
  if (policy.businessBegins === null) return 0
  const now = zoned(clock.businessNow()).toPlainDateTime()
  return Math.max(0, now.since(policy.businessBegins, { largestUnit: 'days' }).days)
}

/** The friends, made by whichever sample customer comes first. */
export async function openFriends(deps: Deps): Promise<Customer[]> {
  return Promise.all(
    FRIENDS.map(async (friend) => {
      const find = () => findCustomerByContact(deps, { kind: 'email', value: friend.email })
      const known = await find()
      if (known) return known
      try {
        return await createCustomer(deps, { ...friend, createdAt: joined() })
      } catch (error) {
        const made = error instanceof Refusal && error.field === 'email' ? await find() : null
        if (!made) throw error
        return made
      }
    }),
  )
}

/** What happened, oldest first, at this customer's own dates; and before it the money that makes the balance come out. */
function inOrder(
  current: AccountId,
  story: readonly Operation[],
  { dated, say }: Pick<StoryCast, 'dated' | 'say'>,
): Operation[] {
  const opening = incomingOperation({
    accountId: current,
    payerName: say.i18n._({ id: 'sample.opening', message: 'Transfer from my old bank' }),
    amountMinor: BALANCE_MINOR - story.reduce((sum, operation) => sum + effectOn(current, operation), 0),
    category: 'top_up',
    bookedAt: joined(),
  })
  return [opening, ...story]
    .toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime())
    .map((operation) => ({ ...operation, bookedAt: dated(operation.bookedAt) }))
}

/** The same, where points say whom the payment went to that earned them, as those of later payments do. */
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

/** What an operation does to an account's balance. */
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
    reward('direct_debit', storyTime(1, 4, 9)),
    reward('direct_debit', storyTime(1, 11, 9)),
    reward('refer_friend', storyTime(3, 9, 18)),
    reward('refer_friend', storyTime(5, 21, 18)),
  ]
}
