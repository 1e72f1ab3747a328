import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { receiveMessage } from '#server/card-scheme/receive.ts'
import { cardsOf } from '#server/cards/card.ts'
import { issueCard } from '#server/cards/service.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { asked, type Plastic, plasticOf } from '#server/test/card-scheme.ts'
import { books, type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'
import { tries } from '../../scripts/strength.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock: testClock(START) })
})
afterAll(async () => {
  await books(server)
  await server.close()
})

/** Somebody with two cards on one account. */
type Payer = { person: Person; cards: Plastic[]; cardIds: string[] }
const CARDS = [0, 1] as const

async function openPayer(fundedMinor: number): Promise<Payer> {
  people += 1
  const person = await server.person({ fullName: 'Ann Lee', email: `ann${people}@example.com` })
  await person.fund(fundedMinor)
  const cardIds: string[] = []
  for (const kind of ['main', 'multi_use'] as const) {
    const { id } = await issueCard(server.deps, {
      customerId: person.customer.id,
      accountId: person.customer.currentAccountId,
      type: 'debit',
      kind,
      name: 'Card',
      expiresOn: '2028-12-31',
    })
    cardIds.push(id)
  }
  const cards = await Promise.all(cardIds.map((id) => plasticOf(server.deps, person.customer.id, id)))
  expect(await cardsOf(server.deps, person.customer.id)).toHaveLength(CARDS.length)
  return { person, cards, cardIds }
}

type Step =
  | { type: 'authorise'; card: number; amountMinor: number; wrong: boolean }
  | { type: 'capture'; payment: number; amountMinor: number; final: boolean }
  | { type: 'reverse'; payment: number; amountMinor?: number | undefined }
  | { type: 'refund'; payment: number; amountMinor: number }
  | { type: 'expire'; payment: number }
  /** A message that was sent before, once more. */
  | { type: 'again'; message: number }

const amount = fc.integer({ min: 1, max: 70_00 })
const payment = fc.nat({ max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('authorise' as const),
      card: fc.nat({ max: 1 }),
      amountMinor: amount,
      wrong: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('capture' as const), payment, amountMinor: amount, final: fc.boolean() }),
  },
  fc.record({ type: fc.constant('reverse' as const), payment, amountMinor: fc.option(amount, { nil: undefined }) }),
  fc.record({ type: fc.constant('refund' as const), payment, amountMinor: amount }),
  fc.record({ type: fc.constant('expire' as const), payment }),
  fc.record({ type: fc.constant('again' as const), message: fc.nat({ max: 9 }) }),
)

/** Rounds of messages that come at the same time, each about another payment and, where it is a question, another card. */
const rounds = fc.array(fc.uniqueArray(step, { minLength: 1, maxLength: 5, selector: aboutOf }), {
  minLength: 2,
  maxLength: 8,
})

function aboutOf(one: Step): string {
  if (one.type === 'authorise') return `card ${one.card}`
  return 'payment' in one ? `payment ${one.payment}` : 'again'
}

/** Sends rounds of messages, and answers what became of them and of the customer's money. */
async function play(all: readonly Step[][], payer: Payer, isTogether: boolean) {
  const payments: string[] = []
  const sent: object[] = []
  const answers: string[][] = []
  for (const round of all) {
    // A round is about payments of rounds before it.
    const known = [...payments]
    const earlier = [...sent]
    const messages = round.map((one) => messageOf(one, payer, known, earlier))
    for (const message of messages) if ('card' in message) payments.push(message['authorisationId'] as string)
    sent.push(...messages)
    const said = Array.from<string>({ length: messages.length })
    const say = async ({ message, index }: Placed) => {
      said[index] = await outcomeOf(message)
    }
    const { apart, after } = byNames(messages.map((message, index) => ({ message, index })))
    // As a batch decides them: questions first.
    const order = apart.toSorted((a, b) => Number('card' in b.message) - Number('card' in a.message))
    if (isTogether) await Promise.all(order.map(say))
    else for (const one of order) await say(one)
    for (const one of after) await say(one)
    answers.push(said)
  }
  return { answers, ...(await standing(payer, payments)) }
}

/** What became of a message. Told without HTTP, messages come in the order in which they are told. */
async function outcomeOf(message: object): Promise<string> {
  try {
    const { reason, outcome } = await receiveMessage(server.deps, cardMessage.parse(message))
    return reason ?? outcome
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

type Placed = { message: Record<string, unknown>; index: number }

/**
 * Messages that share no card, payment or name, and those that share one with a message before them: these wait, and it is
 * nobody's to say whether for a message that needs a SQL transaction of its own, too.
 */
function byNames(messages: readonly Placed[]): { apart: Placed[]; after: Placed[] } {
  const taken = new Set<unknown>()
  const [apart, after]: [Placed[], Placed[]] = [[], []]
  for (const placed of messages) {
    const { messageId, authorisationId, card } = placed.message
    const names = [messageId, authorisationId, ...(card ? [(card as Plastic).number] : [])]
    if (names.some((name) => taken.has(name))) after.push(placed)
    else apart.push(placed)
    for (const name of names) taken.add(name)
  }
  return { apart, after }
}

function messageOf(one: Step, { cards }: Payer, payments: string[], sent: object[]): Record<string, unknown> {
  if (one.type === 'again') {
    const known = sent[one.message % Math.max(1, sent.length)]
    if (known) return known as Record<string, unknown>
  }
  if (one.type === 'authorise') {
    const card = cards[one.card] as Plastic
    const shown = one.wrong && one.amountMinor % 3 === 0 ? { ...card, cvv: card.cvv === '000' ? '001' : '000' } : card
    return { ...asked(shown, { amountMinor: one.amountMinor }) }
  }
  const of = 'payment' in one ? one.payment : 0
  const authorisationId = payments.length > 0 ? payments[of % payments.length] : randomUUID()
  const about = { type: one.type === 'again' ? 'expire' : one.type, messageId: randomUUID(), authorisationId }
  const paid = 'amountMinor' in one && one.amountMinor !== undefined ? { amountMinor: one.amountMinor } : {}
  const asset = one.type === 'capture' || one.type === 'refund' ? { asset: 'USD' } : {}
  return { ...about, ...paid, ...asset, ...(one.type === 'capture' ? { final: one.final } : {}) }
}

async function standing({ person, cardIds }: Payer, payments: string[]) {
  const run = runOn(server.deps.pool)
  const { rows: kept } = await run(
    `SELECT scheme_id, status, reason, open_minor, held_minor, captured_minor, refunded_minor, lost_minor
       FROM bank.card_authorisation WHERE scheme_id = ANY($1)`,
    [payments],
  )
  const { rows: months } = await run('SELECT card_id, used_minor FROM bank.card_month WHERE card_id = ANY($1)', [
    cardIds,
  ])
  const { rows: guesses } = await run('SELECT card_id, wrong FROM bank.card_guess WHERE card_id = ANY($1)', [cardIds])
  const { rows: accounts } = await run(
    `SELECT code, balance_minor::text AS balance, held_minor::text AS held, owed_minor FROM ledger.account
      WHERE holder_id = $1 AND asset = 'USD' ORDER BY code, id`,
    [person.customer.id],
  )
  const { rows: captures } = await run(
    `SELECT p.scheme_id, c.amount_minor FROM bank.card_capture c JOIN bank.card_authorisation p ON p.id = c.authorisation_id
      WHERE p.scheme_id = ANY($1) ORDER BY c.place`,
    [payments],
  )
  const place = (id: unknown) => payments.indexOf(id as string)
  const ofCard = (id: unknown) => cardIds.indexOf(id as string)
  return {
    payments: kept.map(({ scheme_id: id, ...row }) => [place(id), row]).toSorted(byPlace),
    months: months.map((row) => [ofCard(row['card_id']), row['used_minor']]).toSorted(byPlace),
    guesses: guesses.map((row) => [ofCard(row['card_id']), row['wrong']]).toSorted(byPlace),
    captures: captures.map((row) => [place(row['scheme_id']), row['amount_minor']]).toSorted(byPlace),
    accounts,
  }
}

const byPlace = ([a]: unknown[], [b]: unknown[]): number => Number(a) - Number(b)

test(
  'messages that come at the same time come to what they come to one after the other',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(rounds, fc.integer({ min: 0, max: 200_00 }), async (all, fundedMinor) => {
        const funded = Math.max(1, fundedMinor)
        const alone = await play(all, await openPayer(funded), false)
        const together = await play(all, await openPayer(funded), true)
        expect(together).toEqual(alone)
      }),
      { numRuns: tries(200) },
    )
  },
)
