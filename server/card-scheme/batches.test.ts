import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { receiveMessage } from '#server/card-scheme/receive.ts'
import { cardsOf } from '#server/cards/card.ts'
import { issueCard } from '#server/cards/service.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { collectDebtsJob } from '#server/owed/collect-debts.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { authorizationRequest, type Plastic, plasticOf } from '#server/test/card-scheme.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { auditTestBooks, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { tries } from '../../scripts/test-effort.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = testClock(START)
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

/** A customer with two cards on one account. */
type Payer = { person: TestPerson; cards: Plastic[]; cardIds: string[] }
const CARDS = [0, 1] as const

async function openPerson(fundedMinor: number): Promise<TestPerson> {
  people += 1
  const person = await server.person({ fullName: 'Ann Lee', email: `ann${people}@example.com` })
  await person.fund(fundedMinor)
  return person
}

async function openPayer(fundedMinor: number): Promise<Payer> {
  const person = await openPerson(fundedMinor)
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
  /** A repetition of an earlier message. */
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

/**
 * Rounds of concurrent messages. Each message of a round concerns another payment, and each authorization request another card.
 */
const rounds = fc.array(fc.uniqueArray(step, { minLength: 1, maxLength: 5, selector: aboutOf }), {
  minLength: 2,
  maxLength: 8,
})

function aboutOf(messageStep: Step): string {
  if (messageStep.type === 'authorise') return `card ${messageStep.card}`
  return 'payment' in messageStep ? `payment ${messageStep.payment}` : 'again'
}

/** Sends rounds of messages. Returns the answers and the final state of the payments and the customer's money. */
async function play(stepRounds: readonly Step[][], payer: Payer, isTogether: boolean) {
  const payments: string[] = []
  const sentMessages: object[] = []
  const answers: string[][] = []
  for (const round of stepRounds) {
    // A round is about payments of earlier rounds.
    const earlierPayments = [...payments]
    const earlierMessages = [...sentMessages]
    const messages = round.map((messageStep) => messageOf(messageStep, payer, earlierPayments, earlierMessages))
    for (const message of messages) if ('card' in message) payments.push(message['authorisationId'] as string)
    sentMessages.push(...messages)
    const messageAnswers = Array.from<string>({ length: messages.length })
    const say = async ({ message, index }: IndexedMessage) => {
      messageAnswers[index] = await outcomeOf(message)
    }
    const { apart, after } = byNames(messages.map((message, index) => ({ message, index })))
    // The order in which a batch decides: authorization requests first.
    const orderedMessages = apart.toSorted((a, b) => Number('card' in b.message) - Number('card' in a.message))
    if (isTogether) await Promise.all(orderedMessages.map(say))
    else for (const message of orderedMessages) await say(message)
    for (const message of after) await say(message)
    answers.push(messageAnswers)
  }
  return { answers, ...(await readState(payer, payments)) }
}

/** Returns the outcome of a message. Without HTTP, messages arrive in the order of the calls. */
async function outcomeOf(message: object): Promise<string> {
  try {
    const { reason, outcome } = await receiveMessage(server.deps, cardMessage.parse(message))
    return reason ?? outcome
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

type IndexedMessage = { message: Record<string, unknown>; index: number }

/**
 * Splits messages by their names. The messages in `apart` share no card, payment or message id with each other. Each message in
 * `after` shares one with an earlier message and waits for it. The order in `after` is not fixed if a message needs its own SQL
 * transaction, so the test sends these messages afterwards.
 */
function byNames(messages: readonly IndexedMessage[]): { apart: IndexedMessage[]; after: IndexedMessage[] } {
  const usedNames = new Set<unknown>()
  const [separate, after]: [IndexedMessage[], IndexedMessage[]] = [[], []]
  for (const indexedMessage of messages) {
    const { messageId, authorisationId, card } = indexedMessage.message
    const names = [messageId, authorisationId, ...(card ? [(card as Plastic).number] : [])]
    if (names.some((name) => usedNames.has(name))) after.push(indexedMessage)
    else separate.push(indexedMessage)
    for (const name of names) usedNames.add(name)
  }
  return { apart: separate, after }
}

function messageOf(
  messageStep: Step,
  { cards }: Payer,
  payments: string[],
  sentMessages: object[],
): Record<string, unknown> {
  if (messageStep.type === 'again') {
    const sentMessage = sentMessages[messageStep.message % Math.max(1, sentMessages.length)]
    if (sentMessage) return sentMessage as Record<string, unknown>
  }
  if (messageStep.type === 'authorise') {
    const card = cards[messageStep.card] as Plastic
    const shownCard =
      messageStep.wrong && messageStep.amountMinor % 3 === 0
        ? { ...card, cvv: card.cvv === '000' ? '001' : '000' }
        : card
    return { ...authorizationRequest(shownCard, { amountMinor: messageStep.amountMinor }) }
  }
  const paymentIndex = 'payment' in messageStep ? messageStep.payment : 0
  const authorisationId = payments.length > 0 ? payments[paymentIndex % payments.length] : randomUUID()
  const about = {
    type: messageStep.type === 'again' ? 'expire' : messageStep.type,
    messageId: randomUUID(),
    authorisationId,
  }
  const paidAmount =
    'amountMinor' in messageStep && messageStep.amountMinor !== undefined
      ? { amountMinor: messageStep.amountMinor }
      : {}
  const asset = messageStep.type === 'capture' || messageStep.type === 'refund' ? { asset: 'USD' } : {}
  return { ...about, ...paidAmount, ...asset, ...(messageStep.type === 'capture' ? { final: messageStep.final } : {}) }
}

async function readState({ person, cardIds }: Payer, payments: string[]) {
  const run = runOn(server.deps.pool)
  const { rows: holds } = await run(
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
    payments: holds.map(({ scheme_id: id, ...row }) => [place(id), row]).toSorted(byPlace),
    months: months.map((row) => [ofCard(row['card_id']), row['used_minor']]).toSorted(byPlace),
    guesses: guesses.map((row) => [ofCard(row['card_id']), row['wrong']]).toSorted(byPlace),
    captures: captures.map((row) => [place(row['scheme_id']), row['amount_minor']]).toSorted(byPlace),
    accounts,
  }
}

const byPlace = ([a]: unknown[], [b]: unknown[]): number => Number(a) - Number(b)

test('simultaneous messages have the same outcome as sequential ones', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(rounds, fc.integer({ min: 0, max: 200_00 }), async (stepRounds, fundedMinor) => {
      const funded = Math.max(1, fundedMinor)
      const alone = await play(stepRounds, await openPayer(funded), false)
      const together = await play(stepRounds, await openPayer(funded), true)
      expect(together).toEqual(alone)
    }),
    { numRuns: tries(200) },
  )
})

/** Opens a customer with a card on the current account and a virtual card with its own money. */
async function openDiner(fundedMinor: number): Promise<Payer> {
  const person = await openPerson(fundedMinor)
  const { currentAccountId: accountId, id: customerId } = person.customer
  const main = { customerId, accountId, type: 'debit', kind: 'main', name: 'Card', expiresOn: '2028-12-31' } as const
  const { id: mainId } = await issueCard(server.deps, main)
  const virtual = { name: 'Dinners', kind: 'multi_use', limitMinor: 1_000_00, loadMinor: 20_00, asset: 'USD' }
  const { id } = (await (await person.browser.post('/api/v1/cards', virtual)).json()) as { id: string }
  const cardIds = [mainId, id]
  return {
    person,
    cardIds,
    cards: await Promise.all(cardIds.map((cardId) => plasticOf(server.deps, customerId, cardId))),
  }
}

const CALLER = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const

/** Moves all money that a customer can spend to another account. */
async function spend({ person }: Payer, credit: number): Promise<void> {
  for (const { id: debit, asset, availableMinor } of await accountsOf(runOn(server.deps.pool), person.customer.id))
    if (asset === 'USD' && availableMinor > 0) await move(debit, credit, availableMinor)
}

async function move(debit: number, credit: number, amountMinor: number): Promise<void> {
  const legs = [{ kind: 'transfer' as const, debit, credit, amountMinor }]
  const operation = { id: randomUUID(), kind: 'test', fingerprint: 'move', bookedAt: START, legs }
  await server.deps.ledger.post(operation).catch(refusalIn)
}

/** Returns the code of a refusal, which counts as an answer here. */
function refusalIn(error: unknown): string {
  if (error instanceof Refusal) return error.code
  throw error
}

const DEEDS = ['authorise', 'advise', 'advise', 'tip', 'tip', 'tip', 'capture', 'reverse', 'refund', 'expire'] as const
const OWN_DEEDS = ['fund', 'spend', 'leave', 'leave'] as const
const deed = fc.record({
  who: fc.nat({ max: 3 }),
  what: fc.constantFrom(...DEEDS, ...OWN_DEEDS),
  card: fc.nat({ max: 1 }),
  payment: fc.nat({ max: 3 }),
  amountMinor: amount,
})
type RestaurantStep = typeof deed extends fc.Arbitrary<infer Of> ? Of : never
/** Each deed of a round belongs to another customer, so the order within a round does not change the result. */
const meals = fc.array(fc.uniqueArray(deed, { minLength: 2, maxLength: 4, selector: ({ who }) => who }), {
  minLength: 6,
  maxLength: 12,
})

type Paid = { id: string; amountMinor: number }

/** Returns the message for a deed; null for a deed that the customer does directly. */
async function messageOfDeed(
  { what: deedKind, card, payment: place, amountMinor }: RestaurantStep,
  payer: Payer,
  payments: Paid[],
  shop: string,
) {
  if (deedKind === 'fund') return payer.person.fund(amountMinor).then(() => null, refusalIn)
  if (deedKind === 'spend' || deedKind === 'leave') {
    await spend(payer, bankAccount('ach_clearing'))
    if (deedKind === 'leave') await closeCustomer(server.deps, payer.person.customer, CALLER).catch(refusalIn)
    return null
  }
  if (deedKind === 'authorise' || deedKind === 'advise') {
    const merchant = { name: shop, mcc: '5812', country: 'US' }
    const message = authorizationRequest(payer.cards[card] as Plastic, {
      type: deedKind,
      entry: 'chip',
      amountMinor,
      merchant,
    })
    payments.push({ id: message.authorisationId, amountMinor })
    return message
  }
  const earlierPayment = payments[place % Math.max(1, payments.length)]
  if (!earlierPayment) return null
  const about = { messageId: randomUUID(), authorisationId: earlierPayment.id }
  if (deedKind === 'expire') return { type: deedKind, ...about }
  if (deedKind === 'reverse') return { type: deedKind, ...about, amountMinor }
  if (deedKind !== 'tip')
    return { type: deedKind, ...about, amountMinor, asset: 'USD', ...(deedKind === 'capture' ? { final: false } : {}) }
  return {
    type: 'capture',
    ...about,
    amountMinor: earlierPayment.amountMinor + Math.floor(earlierPayment.amountMinor / 5),
    asset: 'USD',
  }
}

async function dine(stepRounds: readonly RestaurantStep[][], shop: string, isTogether: boolean) {
  const before = await lossesAndUnclaimed()
  const payers = await Promise.all([0, 1, 2, 3].map(() => openDiner(30_00)))
  const paidByPayer: Paid[][] = payers.map(() => [])
  const answers: string[][] = []
  for (const [index, round] of stepRounds.entries()) {
    clock.set(new Date(START.getTime() + (index + 1) * 60_000))
    const messages: object[] = []
    for (const deedOfRound of round) {
      const message = await messageOfDeed(
        deedOfRound,
        payers[deedOfRound.who] as Payer,
        paidByPayer[deedOfRound.who] as Paid[],
        shop,
      )
      if (message !== null && typeof message === 'object') messages.push(message)
    }
    if (isTogether) answers.push(await Promise.all(messages.map(outcomeOf)))
    else {
      const lines: string[] = []
      for (const message of messages) lines.push(await outcomeOf(message))
      answers.push(lines)
    }
  }
  const standings = payers.map(async (payer, index) => ({
    ...(await readState(
      payer,
      (paidByPayer[index] ?? []).map(({ id }) => id),
    )),
    debts: (
      await runOn(server.deps.pool)(
        'SELECT amount_minor, left_minor, lost_minor FROM bank.owed WHERE customer_id = $1 ORDER BY created_at',
        [payer.person.customer.id],
      )
    ).rows,
  }))
  const banks = (await lossesAndUnclaimed()).map((minor, index) => minor - (before[index] ?? 0))
  return { answers, banks, standings: await Promise.all(standings) }
}

/** Returns the balance of the bank's card losses (below zero) and of the money kept for former customers. */
async function lossesAndUnclaimed(): Promise<number[]> {
  const { rows } = await runOn(server.deps.pool)(
    'SELECT balance_minor::text AS minor FROM ledger.account WHERE id = ANY($1) ORDER BY id',
    [[bankAccount('card_losses'), bankAccount('unclaimed_payments')]],
  )
  return rows.map(({ minor }) => Number(minor))
}

test(
  'simultaneous messages have the same outcome beyond a hold, with a debt, and for a closed customer',
  { timeout: 600_000 },
  async () => {
    let debts = 0
    await fc.assert(
      fc.asyncProperty(meals, async (stepRounds) => {
        const alone = await dine(stepRounds, `Alone ${people}`, false)
        const together = await dine(stepRounds, `Together ${people}`, true)
        expect(together).toEqual(alone)
        debts += together.standings.flatMap((standing) => standing.debts).length
      }),
      { numRuns: tries(100) },
    )
    expect(debts).toBeGreaterThan(0)
  },
)

/** Repeats a message until the bank answers it, as the scheme does. */
async function repeatUntilAnswered(message: object): Promise<string> {
  for (;;) {
    const answer = await outcomeOf(message)
    if (answer !== 'unavailable') return answer
  }
}

test('customers who pay each other and overdraw at shops at the same time cause no deadlock', async () => {
  const deadlocks = async () => {
    const { rows } = await runOn(server.deps.pool)(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0]?.['deadlocks'])
  }
  clock.set(START)
  const before = await deadlocks()
  const payers = await Promise.all(Array.from({ length: 8 }, () => openDiner(60_00)))
  const merchant = { name: 'Trattoria', mcc: '5812', country: 'US' }
  for (let round = 0; round < 3; round += 1) {
    const payments = payers.flatMap(({ cards }) =>
      cards.flatMap((card) =>
        [10_00, 15_00].map((amountMinor) => authorizationRequest(card, { entry: 'chip', amountMinor, merchant })),
      ),
    )
    const advices = payers.map(({ cards }, index) =>
      authorizationRequest(cards[index % 2] as Plastic, { type: 'advise', amountMinor: 20_00, merchant }),
    )
    const moves = payers.flatMap(({ person: { customer } }, index) =>
      [1, 3, 5].map((further) => async () => {
        const receiver = payers[(index + further) % payers.length] as Payer
        await move(customer.currentAccountId, receiver.person.customer.currentAccountId, 3_00)
      }),
    )
    const [answers] = await Promise.all([
      Promise.all(payments.map(repeatUntilAnswered)),
      Promise.all(advices.map(repeatUntilAnswered)),
      Promise.all(moves.map((moveMoney) => moveMoney())),
    ])
    expect(answers.every((answer) => ['approved', 'insufficient_funds', 'owes_bank'].includes(answer))).toBe(true)
    const approved = payments.filter((_, index) => answers[index] === 'approved')
    const about = (type: string, { authorisationId }: { authorisationId: string }) => ({
      type,
      messageId: randomUUID(),
      authorisationId,
    })
    const withAmount = (message: object, amountMinor: number) => ({ ...message, amountMinor, asset: 'USD' })
    const cleared = approved.map((request, index) =>
      index % 3 === 2
        ? about('reverse', request)
        : withAmount(about('capture', request), request.amountMinor + request.amountMinor / 5),
    )
    const ends = await Promise.all([
      ...cleared.map(repeatUntilAnswered),
      ...advices.map((advice) => repeatUntilAnswered(withAmount(about('capture', advice), 24_00))),
      ...moves.map((moveMoney) => moveMoney().then(() => 'done')),
      collectDebtsJob.work(server.deps).then(() => 'done'),
    ])
    expect(new Set(ends)).toEqual(new Set(['done']))
    const back = [...approved.filter((_, index) => index % 3 === 0), ...advices]
    const outcomes = await Promise.all([
      ...back.map((request) => repeatUntilAnswered(withAmount(about('refund', request), 8_00))),
      ...moves.map((moveMoney) => moveMoney().then(() => 'done')),
      collectDebtsJob.work(server.deps).then(() => 'done'),
    ])
    expect(new Set(outcomes)).toEqual(new Set(['done']))
  }
  await auditTestBooks(server)
  expect(await deadlocks()).toBe(before)
}, 120_000)
