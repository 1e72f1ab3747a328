import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { issueCard } from '#server/cards/service.ts'
import { renewCardsJob, lastExpiryDueForRenewal } from '#server/cards/renewal.ts'
import { sampleExpiry } from '#server/cards/sample-history.ts'
import { testClock } from '#server/test/bank.ts'
import { authorizationRequest, outcomeOf, plasticOf, SCHEME_SECRET, sendCardMessage } from '#server/test/card-scheme.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const START = new Date('2028-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock, config: { cardSchemeSecret: SCHEME_SECRET } })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(500_00)
})

const issueOldCard = async () => {
  const { id } = await issueCard(server.deps, {
    customerId: ann.customer.id,
    accountId: ann.customer.currentAccountId,
    type: 'debit',
    kind: 'main',
    name: 'Main Card',
    expiresOn: '2028-12-31',
  })
  return id
}
const plastic = (id: string) => plasticOf(server.deps, ann.customer.id, id)
const say = (message: unknown) => outcomeOf(sendCardMessage(server, message))
const renew = () => renewCardsJob.work(server.deps)
const notices = async () => {
  const { notices: allNotices } = await (await ann.browser.get('/api/v1/notifications')).json()
  return (allNotices as { kind: string; params: unknown }[]).filter(({ kind }) => kind === 'card_renewed')
}

test('cards are renewed from two months before their last month on', () => {
  expect(lastExpiryDueForRenewal(new Date('2028-09-30T23:59:59Z'))).toBe('2028-11-30')
  expect(lastExpiryDueForRenewal(new Date('2028-10-01T00:00:00Z'))).toBe('2028-12-31')
})

test('a sample visitor gets the specification’s card, and never one that is about to expire', () => {
  expect(sampleExpiry(new Date('2026-08-28T09:41:00Z'))).toBe('2028-12-31')
  expect(sampleExpiry(new Date('2028-09-30T09:41:00Z'))).toBe('2028-12-31')
  expect(sampleExpiry(new Date('2028-10-01T09:41:00Z'))).toBe('2032-10-31')
  expect(sampleExpiry(new Date('2033-01-01T09:41:00Z'))).toBe('2037-01-31')
})

test('a card is renewed once, keeps its number, and pays with both expiry dates until the old one ends', async () => {
  const id = await issueOldCard()
  const oldPlastic = await plastic(id)
  await renew()
  expect(await plastic(id)).toEqual(oldPlastic)
  clock.set(new Date('2028-10-01T08:00:00Z'))
  await Promise.all([renew(), renew(), renew()])
  const fresh = await plastic(id)
  expect(fresh).toMatchObject({ number: oldPlastic.number, expiry: '10/32' })
  expect(fresh.cvv).not.toBe(oldPlastic.cvv)
  expect(await notices()).toMatchObject([{ params: { dueOn: '2028-12-31', lastFour: oldPlastic.number.slice(-4) } }])
  for (const card of [oldPlastic, fresh])
    expect(await say(authorizationRequest(card, { amountMinor: 1_00 }))).toBe('approved')
  // The old CVV does not fit the new expiry date.
  expect(await say(authorizationRequest({ ...fresh, cvv: oldPlastic.cvv }))).toBe('wrong_cvv')
  clock.set(new Date('2029-01-01T08:00:00Z'))
  expect(await say(authorizationRequest(oldPlastic))).toBe('card_expired')
  expect(await say(authorizationRequest(fresh, { amountMinor: 1_00 }))).toBe('approved')
  // A shop with monthly payments still has the old expiry date.
  const { cvv: _cvv, ...plasticWithoutCvv } = oldPlastic
  expect(
    await say(authorizationRequest(plasticWithoutCvv as typeof oldPlastic, { entry: 'recurring', amountMinor: 1_00 })),
  ).toBe('approved')
  await renew()
  expect(await notices()).toHaveLength(1)
})

test('frozen cards are renewed and stay frozen, and removed cards are not renewed', async () => {
  const id = await issueOldCard()
  const change = (action: string) => ann.browser.post(`/api/v1/cards/${id}/${action}`, {}, { key: randomUUID() })
  expect((await change('freeze')).status).toBeLessThan(300)
  clock.set(new Date('2028-11-15T08:00:00Z'))
  await renew()
  const frozen = await server.deps.db
    .selectFrom('bank.card')
    .select(['status', 'expires_on'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(frozen.status).toBe('frozen')
  expect(frozen.expires_on).toContain('2032')
  const before = frozen.expires_on
  await server.deps.db
    .updateTable('bank.card')
    .set({ status: 'removed', removed_at: START })
    .where('id', '=', id)
    .execute()
  clock.set(new Date('2032-11-01T08:00:00Z'))
  await renew()
  const removedCard = await server.deps.db
    .selectFrom('bank.card')
    .select('expires_on')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(removedCard.expires_on).toEqual(before)
})

test('an expired main card is renewed on request, and a valid one is not replaced', async () => {
  const id = await issueOldCard()
  const ask = () => ann.browser.post('/api/v1/cards/main', {}, { key: randomUUID() })
  await expectRefusal(await ask(), 'main_card_exists')
  clock.set(new Date('2029-03-01T08:00:00Z'))
  expect(await say(authorizationRequest(await plastic(id)))).toBe('card_expired')
  const answer = await ask()
  expect(answer.status).toBeLessThan(300)
  expect(await say(authorizationRequest(await plastic(id), { amountMinor: 1_00 }))).toBe('approved')
  await expectRefusal(await ask(), 'main_card_exists')
})
