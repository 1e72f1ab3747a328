import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import type { Card, CardList, PastCard } from '#contract/cards.ts'
import { findCard } from '#server/cards/card.ts'
import { removeUsedCardsJob } from '#server/cards/remove.ts'
import { isLuhnValid } from '#server/cards/numbers.ts'
import { markCardsUsed } from '#server/cards/card-usage.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { inTransaction, runAll, runOn } from '#server/platform/db/run.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { testClock } from '#server/test/bank.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = { ...testClock(START), realNow: () => START }

const byNumber = (a: number, b: number) => a - b

let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(1_000_00)
})
afterEach(() => auditTestBooks(server))

const listed = async (person = ann) => (await (await person.browser.get('/api/v1/cards')).json()) as CardList
const VIRTUAL = { name: 'Online shops', kind: 'multi_use', limitMinor: 200_00, asset: 'USD' } as const
const create = (body: object = {}, key?: string) =>
  ann.browser.post('/api/v1/cards', { ...VIRTUAL, ...body }, key === undefined ? {} : { key })
const act = (id: string, action: string, body?: object, key?: string) =>
  ann.browser.post(`/api/v1/cards/${id}/${action}`, body, key === undefined ? {} : { key })
const change = (id: string, body: object) => ann.browser.send('PATCH', `/api/v1/cards/${id}`, JSON.stringify(body))

async function virtualCard(body: object = {}): Promise<Card> {
  const response = await create(body)
  expect(response.status).toBe(200)
  const { id } = await response.json()
  const card = (await listed()).cards.find((one) => one.id === id)
  if (!card) throw new Error('The new card is not listed')
  return card
}

async function mainCard(): Promise<Card> {
  expect((await ann.browser.post('/api/v1/cards/main')).status).toBe(200)
  const [card] = (await listed()).cards
  if (!card) throw new Error('The main card is not listed')
  return card
}

const eventsOf = async () =>
  (await securityEventsOf(server.deps, ann.customer.id, { before: null, limit: 50 })).map(({ kind }) => kind)

/** Holds money on a card's account, as an authorization does. Returns a function that ends the hold. */
async function hold(card: Card, amountMinor: number): Promise<() => Promise<unknown>> {
  const { accountId = 0 } = (await findCard(server.deps, ann.customer.id, card.id)) ?? {}
  const [id, bookedAt] = [randomUUID(), clock.businessNow()]
  const operation = { kind: 'card.authorise', fingerprint: id, bookedAt }
  await server.deps.ledger.post({
    id,
    ...operation,
    legs: [{ kind: 'hold', debit: accountId, credit: bankAccount('card_scheme'), amountMinor }],
  })
  return () =>
    server.deps.ledger.post({ id: randomUUID(), ...operation, legs: [{ kind: 'post', holdId: id, amountMinor }] })
}

/** Pays money back to a card's account, as a refund does. */
async function refundTo(card: Card, amountMinor: number): Promise<void> {
  const { accountId = 0 } = (await findCard(server.deps, ann.customer.id, card.id)) ?? {}
  const leg = { kind: 'transfer' as const, debit: bankAccount('card_scheme'), credit: accountId, amountMinor }
  const operation = { id: randomUUID(), kind: 'card.refund', fingerprint: 'test', bookedAt: clock.businessNow() }
  await server.deps.ledger.post({ ...operation, legs: [leg] })
}

describe('the main card', () => {
  test('spends from the current account, and is issued once for any number of requests', async () => {
    expect((await listed()).cards).toEqual([])
    const responses = await Promise.all(Array.from({ length: 4 }, () => ann.browser.post('/api/v1/cards/main')))
    expect(responses.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 409, 409, 409])
    const { cards, most: maximums } = await listed()
    expect(cards).toMatchObject([
      {
        kind: 'main',
        status: 'active',
        name: 'Main Card',
        holderName: 'Ann Lee',
        expiresOn: '2030-08-31',
        balanceMinor: 1_000_00,
        usedThisMonthMinor: 0,
        online: true,
        contactless: true,
        abroad: true,
        paymentLimitMinor: maximums.paymentMinor,
        monthLimitMinor: maximums.monthMinor,
        used: false,
      },
    ])
  })

  test('is replaced by another after it is removed, and keeps its payments separate', async () => {
    const first = await mainCard()
    expect(await (await act(first.id, 'removal')).json()).toEqual({ returnedMinor: 0, asset: 'USD' })
    expect((await listed()).cards).toEqual([])
    const second = await mainCard()
    expect(second.id).not.toBe(first.id)
    expect(await ann.balanceMinor()).toBe(1_000_00)
  })

  test('has no money of its own', async () => {
    const { id } = await mainCard()
    await expectRefusal(await act(id, 'moves', { direction: 'to_card', amountMinor: 1_00, asset: 'USD' }), 'not_found')
  })
})

describe('a virtual card', () => {
  test('is created at once, with its own limit and the money moved to it', async () => {
    const card = await virtualCard({ loadMinor: 120_00 })
    expect(card).toMatchObject({
      name: 'Online shops',
      kind: 'multi_use',
      balanceMinor: 120_00,
      monthLimitMinor: 200_00,
    })
    expect(await ann.balanceMinor()).toBe(880_00)
    const [line] = await ann.transactions()
    expect(line).toMatchObject({ amountMinor: -120_00, category: 'card', name: { params: { name: 'Online shops' } } })
    const single = await virtualCard({ kind: 'single_use', limitMinor: 30_00 })
    expect(single).toMatchObject({ kind: 'single_use', balanceMinor: 0, paymentLimitMinor: 30_00 })
  })

  test('has the design that its holder chose, until they choose another, and the main card has the bank’s design', async () => {
    const firstCard = await virtualCard()
    expect(firstCard.look).toEqual({ colour: 'plum', design: 'rings' })
    const chosenCard = await virtualCard({ look: { colour: 'sky', design: 'river' } })
    expect(chosenCard.look).toEqual({ colour: 'sky', design: 'river' })
    expect((await change(chosenCard.id, { name: ' Books ', look: { colour: 'rose', design: 'leaves' } })).status).toBe(
      204,
    )
    const main = await mainCard()
    expect(main.look).toBeNull()
    const now = (await listed()).cards.find(({ id }) => id === chosenCard.id)
    expect(now).toMatchObject({ name: 'Books', look: { colour: 'rose', design: 'leaves' } })
    for (const settings of [{ name: 'Mine' }, { look: { colour: 'rose', design: 'leaves' } }])
      await expectRefusal(await change(main.id, settings), 'not_found')
    for (const look of [{ colour: 'gold', design: 'rings' }, { colour: 'sky', design: 'stars' }, { colour: 'sky' }]) {
      expect((await change(firstCard.id, { look })).status).toBe(400)
      expect((await create({ look })).status).toBe(400)
    }
    expect((await change(firstCard.id, { name: ' ' })).status).toBe(400)
    const file = await (await ann.browser.get('/api/v1/profile/export')).json()
    expect(file.cards).toContainEqual(
      expect.objectContaining({ name: 'Books', look: { colour: 'rose', design: 'leaves' } }),
    )
  })

  test('is created once per key, and never without the money', async () => {
    const key = randomUUID()
    const responses = await Promise.all(Array.from({ length: 4 }, () => create({ loadMinor: 10_00 }, key)))
    const ids = await Promise.all(responses.map(async (response) => (await response.json()).id as string))
    expect(new Set(ids).size).toBe(1)
    expect((await listed()).cards).toHaveLength(1)
    expect(await ann.balanceMinor()).toBe(990_00)
    const before = await auditTestBooks(server)
    await expectRefusal(await create({ loadMinor: 20_00 }, key), 'idempotency_key_reused')
    await expectRefusal(await create({ loadMinor: 990_01 }), 'insufficient_funds')
    expect((await listed()).cards).toHaveLength(1)
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test.each([
    ['a limit of zero', { limitMinor: 0 }, 'amount_invalid', 'limitMinor'],
    ['a limit below zero', { limitMinor: -1 }, 'amount_invalid', 'limitMinor'],
    ['a month above the bank’s', { limitMinor: 20_000_01 }, 'card_limit_too_high', 'limitMinor'],
    ['a payment above the bank’s', { kind: 'single_use', limitMinor: 5_000_01 }, 'card_limit_too_high', 'limitMinor'],
    ['an empty name', { name: '  ' }, 'fields_missing', 'name'],
    ['a long name', { name: 'x'.repeat(31) }, 'request_invalid', 'name'],
    ['another main card', { kind: 'main' }, 'request_invalid', 'kind'],
    ['nothing to move', { loadMinor: 0 }, 'amount_invalid', 'loadMinor'],
    ['a fraction of a cent', { loadMinor: 1.5 }, 'amount_invalid', 'loadMinor'],
  ] as const)('is refused with %s', async (_, body, code, field) => {
    const before = await auditTestBooks(server)
    await expectRefusal(await create(body), code, field)
    expect((await listed()).cards).toEqual([])
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('is one of at most twenty, also if several are requested at once', async () => {
    for (let made = 0; made < 18; made += 1) await virtualCard()
    const responses = await Promise.all(Array.from({ length: 5 }, () => create()))
    expect(responses.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 200, 422, 422, 422])
    await expectRefusal(await create(), 'cards_full')
    const [card] = (await listed()).cards
    await act(card?.id ?? '', 'removal')
    expect((await create()).status).toBe(200)
  })

  test('is loaded and unloaded, once per key, and never below zero', async () => {
    const { id } = await virtualCard({ loadMinor: 50_00 })
    const key = randomUUID()
    const back = { direction: 'from_card', amountMinor: 20_00, asset: 'USD' }
    const [first, again] = await Promise.all([act(id, 'moves', back, key), act(id, 'moves', back, key)])
    expect(await first.json()).toEqual(await again.json())
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => act(id, 'moves', { ...back, amountMinor: 10_00 })),
    )
    expect(responses.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 200, 200, 422, 422])
    expect((await listed()).cards[0]?.balanceMinor).toBe(0)
    expect(await ann.balanceMinor()).toBe(1_000_00)
    await expectRefusal(
      await act(id, 'moves', { direction: 'to_card', amountMinor: 1_000_01, asset: 'USD' }),
      'insufficient_funds',
    )
    await expectRefusal(await act(id, 'moves', { ...back, amountMinor: 0 }), 'amount_invalid', 'amountMinor')
  })

  test('lists its moves page by page, and the main card has the account’s list instead', async () => {
    const card = await virtualCard({ loadMinor: 50_00 })
    const post = await hold(card, 12_00)
    await post()
    await hold(card, 3_00)
    const readTransactions = async (id: string, query = '') =>
      ann.browser.get(`/api/v1/cards/${id}/transactions${query}`)
    const page = async (query: string) =>
      (await (await readTransactions(card.id, query)).json()) as {
        transactions: Transaction[]
        nextCursor: string | null
      }
    const first = await page('?limit=2')
    expect(first.transactions).toMatchObject([
      { amountMinor: -3_00, status: 'pending' },
      { amountMinor: -12_00, status: 'completed', balanceAfterMinor: 38_00 },
    ])
    const second = await page(`?limit=2&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ transactions: [{ amountMinor: 50_00, balanceAfterMinor: 50_00 }], nextCursor: null })
    await expectRefusal(await readTransactions(card.id, '?cursor=x'), 'cursor_invalid', 'cursor')
    await refundTo(card, 4_00)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const allTransactions = (await page('')).transactions
    expect(allTransactions.map(({ amountMinor }) => amountMinor)).toEqual([-3_00, 4_00, -12_00, 50_00])
    for (const { id, amountMinor } of allTransactions) {
      const path = `/api/v1/transactions/${id}`
      expect(Math.abs((await (await ann.browser.get(path)).json()).amountMinor)).toBe(Math.abs(amountMinor))
      await expectRefusal(await bob.browser.get(path), 'transaction_not_found')
    }
    await expectRefusal(await readTransactions((await mainCard()).id), 'not_found')
  })

  test('returns its money once when it is deleted, even by simultaneous requests', async () => {
    const { id } = await virtualCard({ loadMinor: 75_00 })
    const responses = await Promise.all(Array.from({ length: 5 }, () => act(id, 'removal')))
    expect(responses.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 409, 409, 409, 409])
    expect(await ann.balanceMinor()).toBe(1_000_00)
    expect((await listed()).cards).toEqual([])
    const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
    expect(accounts.map(({ code, status }) => [code, status])).toEqual([
      ['current', 'open'],
      ['card', 'closed'],
    ])
    // A later refund goes to the current account.
    expect((await findCard(server.deps, ann.customer.id, id))?.accountId).toBe(ann.customer.currentAccountId)
  })

  test('still shows its payments after it is deleted, and none of the current account', async () => {
    const card = await virtualCard({ loadMinor: 50_00 })
    const capture = await hold(card, 12_00)
    await capture()
    await act(card.id, 'removal')
    await ann.fund(5_00)
    const { transactions } = await (await ann.browser.get(`/api/v1/cards/${card.id}/transactions`)).json()
    expect((transactions as Transaction[]).map(({ amountMinor }) => amountMinor)).toEqual([-38_00, -12_00, 50_00])
  })

  test('is listed among the past cards after it is deleted, page by page, for its holder only', async () => {
    const readPastCards = async (query = '', { browser } = ann) =>
      (await (await browser.get(`/api/v1/cards/past${query}`)).json()) as {
        cards: PastCard[]
        nextCursor: string | null
      }
    expect((await listed()).hasPast).toBe(false)
    await act((await mainCard()).id, 'removal')
    expect((await listed()).hasPast).toBe(false)
    expect(await readPastCards()).toEqual({ cards: [], nextCursor: null })
    const ended: PastCard[] = []
    // Two cards of the same moment, and one later card.
    for (const [name, minutes] of [
      ['First', 0],
      ['Second', 0],
      ['Third', 5],
    ] as const) {
      const { id, lastFour } = await virtualCard({ name })
      clock.set(new Date(clock.businessNow().getTime() + minutes * 60_000))
      await act(id, 'removal')
      ended.push({ id, name, lastFour, endedAt: clock.businessNow().toISOString() })
    }
    const openCard = await virtualCard()
    expect((await listed()).hasPast).toBe(true)
    const first = await readPastCards('?limit=2')
    expect(first.cards[0]).toEqual(ended[2])
    const second = await readPastCards(`?limit=2&cursor=${first.nextCursor}`)
    expect(second.nextCursor).toBeNull()
    const byName = (a: PastCard, b: PastCard) => a.name.localeCompare(b.name)
    expect([...first.cards, ...second.cards].toSorted(byName)).toEqual(ended)
    for (const cursor of ['x', randomUUID(), openCard.id])
      await expectRefusal(await ann.browser.get(`/api/v1/cards/past?cursor=${cursor}`), 'cursor_invalid', 'cursor')
    const bob = await server.person({ fullName: 'Bob Ray', email: `bob${round}@example.com` })
    expect(await readPastCards('', bob)).toEqual({ cards: [], nextCursor: null })
    expect((await listed(bob)).hasPast).toBe(false)
    await expectRefusal(await bob.browser.get(`/api/v1/cards/past?cursor=${ended[0]?.id}`), 'cursor_invalid', 'cursor')
    const file = await (await ann.browser.get('/api/v1/profile/export')).json()
    expect(file.cards).toContainEqual(expect.objectContaining({ name: 'Third', status: 'removed' }))
  })

  test('gives the same response to a repeated removal', async () => {
    const { id } = await virtualCard({ loadMinor: 5_00 })
    const key = randomUUID()
    const first = await (await act(id, 'removal', undefined, key)).json()
    expect(await (await act(id, 'removal', undefined, key)).json()).toEqual(first)
    expect(first).toEqual({ returnedMinor: 5_00, asset: 'USD' })
  })

  test('cannot be deleted while it has an open payment', async () => {
    const card = await virtualCard({ loadMinor: 75_00 })
    const capture = await hold(card, 30_00)
    const before = await auditTestBooks(server)
    await expectRefusal(await act(card.id, 'removal'), 'card_payment_pending')
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await listed()).cards).toHaveLength(1)
    await capture()
    expect(await (await act(card.id, 'removal')).json()).toEqual({ returnedMinor: 45_00, asset: 'USD' })
  })

  test('never keeps or loses money under simultaneous requests', async () => {
    const card = await virtualCard({ loadMinor: 100_00 })
    const move = (direction: string) => act(card.id, 'moves', { direction, amountMinor: 10_00, asset: 'USD' })
    await Promise.all([
      ...Array.from({ length: 6 }, () => move('to_card')),
      ...Array.from({ length: 6 }, () => move('from_card')),
      hold(card, 10_00).then(
        (capture) => capture(),
        () => null,
      ),
      act(card.id, 'removal'),
    ])
    const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
    for (const account of accounts.filter(({ status }) => status === 'closed'))
      expect([account.balanceMinor, account.heldMinor]).toEqual([0, 0])
    const spent = 1_000_00 - accounts.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0)
    expect([0, 10_00]).toContain(spent)
  })
})

describe('a single-use card', () => {
  const used = async (loadMinor: number): Promise<Card> => {
    const card = await virtualCard({ kind: 'single_use', loadMinor })
    await inTransaction(server.deps.db, (trx) => runAll(trx, markCardsUsed([card.id], clock.businessNow())))
    return card
  }

  test('returns the rest of its money after its payment is complete, in any number of job runs', async () => {
    const card = await used(40_00)
    await expectRefusal(
      await act(card.id, 'moves', { direction: 'to_card', amountMinor: 1_00, asset: 'USD' }),
      'card_used',
    )
    const capture = await hold(card, 25_00)
    clock.set(new Date(clock.businessNow().getTime() + 60 * 60_000))
    await removeUsedCardsJob.work(server.deps)
    expect((await listed()).cards).toMatchObject([{ id: card.id, used: true }])
    await capture()
    await Promise.all([removeUsedCardsJob.work(server.deps), removeUsedCardsJob.work(server.deps)])
    expect((await listed()).cards).toEqual([])
    expect(await ann.balanceMinor()).toBe(975_00)
  })
})

describe('freezing and unfreezing', () => {
  test('take effect at once, and repeat without an effect', async () => {
    const { id } = await mainCard()
    for (const [action, status] of [
      ['freeze', 'frozen'],
      ['freeze', 'frozen'],
      ['unfreeze', 'active'],
      ['unfreeze', 'active'],
    ] as const) {
      expect((await act(id, action)).status).toBe(204)
      expect((await listed()).cards[0]?.status).toBe(status)
    }
    expect(await eventsOf()).toEqual(['card_unfrozen', 'card_frozen', 'card_issued'])
  })

  test('do not apply to a removed card, which does nothing else either', async () => {
    const { id } = await virtualCard()
    await act(id, 'removal')
    const before = await eventsOf()
    for (const action of ['freeze', 'unfreeze', 'details', 'removal'])
      await expectRefusal(await act(id, action), 'card_removed')
    await expectRefusal(
      await act(id, 'moves', { direction: 'to_card', amountMinor: 1_00, asset: 'USD' }),
      'card_removed',
    )
    await expectRefusal(await change(id, { online: false }), 'card_removed')
    expect(await eventsOf()).toEqual(before)
  })
})

describe('limits and switches', () => {
  test('change one by one', async () => {
    const { id } = await mainCard()
    expect((await change(id, { paymentLimitMinor: 50_00, abroad: false })).status).toBe(204)
    expect((await change(id, { monthLimitMinor: 300_00, contactless: false })).status).toBe(204)
    expect((await change(id, {})).status).toBe(204)
    expect((await listed()).cards).toMatchObject([
      { paymentLimitMinor: 50_00, monthLimitMinor: 300_00, online: true, contactless: false, abroad: false },
    ])
  })

  test.each([
    [{ paymentLimitMinor: 0 }, 'amount_invalid', 'paymentLimitMinor'],
    [{ paymentLimitMinor: 5_000_01 }, 'card_limit_too_high', 'paymentLimitMinor'],
    [{ monthLimitMinor: 20_000_01 }, 'card_limit_too_high', 'monthLimitMinor'],
    [{ monthLimitMinor: -1, online: false }, 'amount_invalid', 'monthLimitMinor'],
    [{ online: 'yes' }, 'request_invalid', 'online'],
    [{ status: 'active' }, 'request_invalid', 'status'],
  ] as const)('with %o are refused, and nothing changes', async (body, code, field) => {
    const { id } = await mainCard()
    const before = await listed()
    await expectRefusal(await change(id, body), code, field)
    expect(await listed()).toEqual(before)
  })
})

test('details are the card’s number, expiry and CVV, and each showing is logged', async () => {
  const { id, lastFour, expiresOn } = await mainCard()
  const response = await act(id, 'details')
  expect(response.headers.get('cache-control')).toContain('no-store')
  const details = await response.json()
  expect(details).toEqual({
    number: expect.stringMatching(/^9999\d{12}$/),
    expiresOn,
    cvv: expect.stringMatching(/^\d{3}$/),
  })
  expect(isLuhnValid(details.number)).toBe(true)
  expect(details.number.slice(-4)).toBe(lastFour)
  expect((await eventsOf())[0]).toBe('card_details_shown')
  expect(JSON.stringify(await listed())).not.toContain(details.number)
  const file = await (await ann.browser.get('/api/v1/profile/export')).text()
  expect(file).toContain(lastFour)
  expect(file).not.toContain(details.number)
})

test('a customer who closes has no cards left, and must first unload them', async () => {
  const card = await virtualCard({ loadMinor: 1_000_00 })
  await mainCard()
  await expectRefusal(await ann.browser.post('/api/v1/profile/closure', {}), 'balance_not_zero')
  expect((await listed()).cards).toHaveLength(2)
  await act(card.id, 'removal')
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'payment.send',
    fingerprint: 'out',
    bookedAt: clock.businessNow(),
    legs: [
      {
        kind: 'transfer',
        debit: ann.customer.currentAccountId,
        credit: bankAccount('card_scheme'),
        amountMinor: 1_000_00,
      },
    ],
  })
  expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  const { rows } = await server.deps.pool.query(
    `SELECT status, (SELECT count(*)::int FROM bank.cashback b WHERE b.customer_id = k.customer_id) AS cashback
       FROM bank.card k WHERE customer_id = $1`,
    [ann.customer.id],
  )
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ status: 'removed', cashback: 0 })))
})
