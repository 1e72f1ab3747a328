import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rewards } from '#contract/rewards-api.ts'
import { earnPoints } from '#server/rewards/earning.ts'
import type { Browser } from '#server/test/browser.ts'
import { auditTestBooks, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { openPostOffice, type PostOffice } from '#server/test/post-office.ts'

let server: PeopleServer
let post: PostOffice
let people = 0

beforeAll(async () => {
  server = await peopleServer()
  post = await openPostOffice(server)
})
afterAll(async () => {
  await auditTestBooks(server)
  await post.close()
  await server.close()
})

async function somebody(): Promise<TestPerson> {
  people += 1
  return server.person({ fullName: `Person ${people}`, email: `person.${people}@example.com` })
}

const readRewards = async ({ browser }: Pick<TestPerson, 'browser'>): Promise<Rewards> =>
  (await browser.get('/api/v1/rewards')).json() as Promise<Rewards>

async function signUp(browser: Browser, referralCode?: string): Promise<Browser> {
  people += 1
  const customer = {
    fullName: `Friend ${people}`,
    email: `friend.${people}@example.com`,
    phone: `+1 202 555 0${100 + people}`,
  }
  const answer = await browser.post('/api/v1/customers', {
    ...customer,
    password: 'a quiet harbour at dusk',
    referralCode,
  })
  expect(answer.status).toBe(200)
  return browser
}

async function verify(browser: Browser): Promise<void> {
  await browser.post('/api/v1/kyc/specimens/id', { type: 'passport' })
  await browser.post('/api/v1/kyc/specimens/selfie', { type: 'selfie' })
  await browser.post('/api/v1/kyc/specimens/address', { type: 'utility_bill' })
  const answer = await browser.post('/api/v1/kyc/submission', {})
  expect(answer.status).toBe(200)
  await post.settled()
}

test('a friend with the code brings 500 points after their verification, and not before', async () => {
  const ann = await somebody()
  const { code } = (await readRewards(ann)).referral
  const friend = await signUp(server.browser(), code.toLowerCase())
  expect(await readRewards(ann)).toMatchObject({ points: 0, referral: { friends: 1 } })
  await verify(friend)
  expect(await readRewards(ann)).toMatchObject({ points: 500, tier: { points: 500 } })
  expect((await readRewards({ browser: friend })).points).toBe(0)
})

test('one’s own code does not count, and an unknown code does not prevent a sign-up', async () => {
  const ann = await somebody()
  const { code } = (await readRewards(ann)).referral
  await verify(await signUp(ann.browser, code))
  expect((await readRewards(await somebody())).referral.friends).toBe(0)
  for (const wrong of ['ZZZZZZZZ', 'x', '"; DROP', '🙂']) await signUp(server.browser(), wrong)
  const { rows } = await server.deps.pool.query('SELECT 1 FROM bank.referral WHERE referrer_id = $1', [ann.customer.id])
  expect(rows).toEqual([])
})

test('at most ten friends per month bring points', async () => {
  const ann = await somebody()
  const at = server.deps.clock.businessNow()
  const friends = Array.from({ length: 12 }, () => randomUUID())
  await earnPoints(
    server.deps,
    friends.map((friendId) => ({
      kind: 'refer_friend',
      causeId: randomUUID(),
      customerId: ann.customer.id,
      friendId,
      at,
    })),
  )
  expect((await readRewards(ann)).points).toBe(5_000)
})
