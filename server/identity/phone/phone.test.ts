import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Profile } from '#contract/profile.ts'
import { createCustomer, findCustomerByContact } from '#server/identity/customers/customers.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { textsOf } from '#server/messages/service.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal, type PeopleServer, type TestPerson, peopleServer } from '#server/test/people.ts'
import { mailsTo } from '#server/test/mails.ts'
import { securityEventKinds } from '#server/test/security-events.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const clock = testClock()
let liveServer: PeopleServer
let passwordHash: string
let ann: TestPerson
let phone: string
let round = 0

beforeAll(async () => {
  // No worker runs, so the bank never calls the gateway. The tests read the texts from the database.
  liveServer = await peopleServer({ clock, config: { mode: 'live', smsUrl: 'http://127.0.0.1:9/texts' } })
  passwordHash = await hashPassword('a long walk by the river')
})
afterAll(() => liveServer.close())
beforeEach(async () => {
  round += 1
  phone = `+4477009${String(10_000 + round)}`
  await liveServer.deps.pool.query('DELETE FROM bank.rate_limit')
  ann = await newcomer(`ann${round}@example.com`)
})

const pass = (ms: number) => clock.set(new Date(clock.realNow().getTime() + ms))

/** Creates a person with an unconfirmed number. */
async function newcomer(email: string, number = phone): Promise<TestPerson> {
  return liveServer.person({ fullName: 'Ann Lee', email, phone: number, passwordHash, unconfirmed: ['phone'] })
}

const ask = (browser: Browser, address?: string) =>
  browser.post('/api/v1/phone-codes', undefined, address ? { headers: { 'x-forwarded-for': address } } : {})
const confirm = (browser: Browser, code: string) => browser.post('/api/v1/phone-confirmations', { code })

/** Returns the code in the last text that a customer requested. */
async function codeOf({ customer }: Pick<TestPerson, 'customer'>, server = liveServer): Promise<string> {
  const [last] = await textsOf(server.deps, [customer.id])
  return /\d{6}/.exec(last?.text ?? '')?.[0] ?? ''
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const profileOf = async ({ browser }: TestPerson) => (await (await browser.get('/api/v1/profile')).json()) as Profile
const nameOf = async (number = phone, server = liveServer) =>
  (await findCustomerByContact(server.deps, { kind: 'phone', value: number }))?.id ?? null
const kinds = ({ customer }: TestPerson) => securityEventKinds(liveServer, customer.id)

/** Confirms a person's number. */
async function confirmOwnPhone(person: TestPerson): Promise<void> {
  expect((await ask(person.browser)).status).toBe(202)
  expect((await confirm(person.browser, await codeOf(person))).status).toBe(204)
}

test('a number identifies its owner after they enter the code that was texted to it', async () => {
  expect(await profileOf(ann)).toMatchObject({ phone, phoneConfirmed: false, phoneConfirmable: true })
  expect((await ask(ann.browser)).status).toBe(202)
  const code = await codeOf(ann)
  expect(code).toMatch(/^\d{6}$/)
  expect(await nameOf()).toBeNull()
  const { rows } = await liveServer.deps.pool.query(
    'SELECT to_jsonb(c)::text || to_jsonb(t)::text AS kept FROM bank.phone_code c JOIN bank.text_message t USING (customer_id)',
  )
  expect(rows.map(({ kept }) => kept).join()).not.toContain(code)
  expect((await confirm(ann.browser, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(204)
  expect(await nameOf()).toBe(ann.customer.id)
  expect((await profileOf(ann)).phoneConfirmed).toBe(true)
  expect(await kinds(ann)).toContain('phone_confirmed')
  // The code works once, and the bank sends no further text.
  await expectRefusal(await confirm(ann.browser, code), 'phone_code_ended')
  const before = await textsOf(liveServer.deps, [ann.customer.id])
  expect((await ask(ann.browser)).status).toBe(202)
  expect(await textsOf(liveServer.deps, [ann.customer.id])).toEqual(before)
})

test('of a hundred simultaneous wrong codes five are compared, and the right one no longer works', async () => {
  await ask(ann.browser)
  const code = await codeOf(ann)
  const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(ann.browser, another(code))))
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 410)).toHaveLength(95)
  await expectRefusal(await confirm(ann.browser, code), 'phone_code_ended')
  expect(await nameOf()).toBeNull()
})

test('the right code sent twenty times at once is accepted once', async () => {
  await ask(ann.browser)
  const code = await codeOf(ann)
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(ann.browser, code)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
})

test('an expired or earlier code is refused, and one for another number or customer', async () => {
  await ask(ann.browser)
  const first = await codeOf(ann)
  await ask(ann.browser)
  const second = await codeOf(ann)
  if (first !== second) await expectRefusal(await confirm(ann.browser, first), 'phone_code_wrong', 'code')
  const bob = await newcomer(`bob${round}@example.com`)
  await expectRefusal(await confirm(bob.browser, second), 'phone_code_ended')
  await ask(bob.browser)
  if ((await codeOf(bob)) !== second)
    await expectRefusal(await confirm(bob.browser, second), 'phone_code_wrong', 'code')
  // Ann has another number now.
  await liveServer.deps.pool.query('UPDATE bank.customer SET phone = $2 WHERE id = $1', [
    ann.customer.id,
    '+447700999999',
  ])
  await expectRefusal(await confirm(ann.browser, second), 'phone_code_ended')
  expect([await nameOf(), await nameOf('+447700999999')]).toEqual([null, null])
  pass(10 * 60_000)
  const cookie = await signInCookie(liveServer.deps, bob.customer.id)
  await expectRefusal(await confirm(liveServer.browser(cookie), await codeOf(bob)), 'phone_code_ended')
})

describe('two customers with one number', () => {
  test('the last customer to confirm it has it, and the other gets a notice', async () => {
    await confirmOwnPhone(ann)
    const bob = await newcomer(`bob${round}@example.com`)
    expect((await ask(bob.browser)).status).toBe(202)
    expect(await nameOf()).toBe(ann.customer.id)
    expect((await confirm(bob.browser, await codeOf(bob))).status).toBe(204)
    expect(await nameOf()).toBe(bob.customer.id)
    expect(await profileOf(ann)).toMatchObject({ phone, phoneConfirmed: false })
    expect(await kinds(ann)).toContain('phone_lost')
    const mails = await mailsTo(liveServer.deps, ann.customer.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Phone number removed from your account'])
    expect(JSON.stringify(mails)).not.toMatch(/bob/i)
    // The person who has the phone takes the number back.
    await confirmOwnPhone(ann)
    expect(await nameOf()).toBe(ann.customer.id)
  })

  test('an earlier code is void after another customer has confirmed the number', async () => {
    const bob = await newcomer(`bob${round}@example.com`)
    await ask(bob.browser)
    const older = await codeOf(bob)
    await confirmOwnPhone(ann)
    await expectRefusal(await confirm(bob.browser, older), 'phone_code_ended')
    expect(await nameOf()).toBe(ann.customer.id)
  })

  test('many simultaneous confirmations of one number leave one holder', async () => {
    const people = [ann, await newcomer(`b${round}@example.com`), await newcomer(`c${round}@example.com`)]
    const codes: string[] = []
    for (const person of people) {
      await ask(person.browser)
      codes.push(await codeOf(person))
    }
    const answers = await Promise.all(people.map((person, index) => confirm(person.browser, codes[index] ?? '')))
    // The first confirmation voids the codes of the other customers.
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 410, 410])
    const { rows } = await liveServer.deps.pool.query(
      'SELECT count(*)::int AS holders FROM bank.customer WHERE phone = $1 AND phone_confirmed_at IS NOT NULL',
      [phone],
    )
    expect(rows).toEqual([{ holders: 1 }])
  })
})

describe('limits for text messages', () => {
  test('allow a customer five per day', async () => {
    const statuses: number[] = []
    for (let times = 0; times < 6; times += 1) statuses.push((await ask(ann.browser)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })

  test('keep unverified customers from using up the limit of a verified owner', async () => {
    const owner = await newcomer(`owner${round}@example.com`)
    await liveServer.deps.pool.query('UPDATE bank.customer SET verified_at = now() WHERE id = $1', [owner.customer.id])
    expect((await ask(ann.browser)).status).toBe(202)
    for (let times = 0; times < 4; times += 1) {
      const unverified = await newcomer(`unverified${times}.${round}@example.com`)
      expect((await ask(unverified.browser)).status).toBe(202)
    }
    const last = await newcomer(`last${round}@example.com`)
    await expectRefusal(await ask(last.browser), 'too_many_requests')
    expect((await ask(owner.browser)).status).toBe(202)
  })

  test('allow a network ten per day for unverified customers, and give verified customers a separate limit', async () => {
    for (let times = 0; times < 10; times += 1) {
      const unverified = await newcomer(`network${times}.${round}@example.com`, `+4477008${String(20_000 + times)}`)
      expect((await ask(unverified.browser)).status).toBe(202)
    }
    await expectRefusal(await ask(ann.browser), 'too_many_requests')
    await liveServer.deps.pool.query('DELETE FROM bank.rate_limit')
    // This row uses up the bank's limit for unverified customers.
    await liveServer.deps.pool.query(
      `INSERT INTO bank.rate_limit (key, points, expire) VALUES ('text-bank-unverified:all', $1, $2)`,
      [liveServer.deps.policy.textsPerDay.unverified, Date.now() + 60_000],
    )
    await expectRefusal(await ask(ann.browser), 'too_many_requests')
    await liveServer.deps.pool.query('UPDATE bank.customer SET verified_at = now() WHERE id = $1', [ann.customer.id])
    expect((await ask(ann.browser)).status).toBe(202)
  })

  test('exclude premium-rate numbers and missing numbers', async () => {
    const dear = await newcomer(`dear${round}@example.com`, '+449098790123')
    await expectRefusal(await ask(dear.browser), 'phone_invalid', 'phone')
    const none = await liveServer.person({ fullName: 'No Phone', email: `none${round}@example.com`, passwordHash })
    await expectRefusal(await ask(none.browser), 'fields_missing', 'phone')
    expect(await textsOf(liveServer.deps, [dear.customer.id, none.customer.id])).toEqual([])
  })
})

test('a live bank without a gateway confirms no numbers, and states this', async () => {
  const mute = await peopleServer({ config: { mode: 'live' } })
  const eve = await mute.person({
    fullName: 'Eve',
    email: 'eve@example.com',
    phone,
    unconfirmed: ['phone'],
    passwordHash,
  })
  expect(await profileOf(eve)).toMatchObject({ phoneConfirmed: false, phoneConfirmable: false })
  await expectRefusal(await ask(eve.browser), 'texts_unavailable')
  expect(await nameOf(phone, mute)).toBeNull()
  await mute.close()
})

test('in a sample bank the text is only in the mailbox of the number’s owner', async () => {
  const sample = await peopleServer({ clock })
  const owner = await sample.person({ fullName: 'Olga Owner', email: 'olga@example.com', phone })
  const taker = await sample.person({ fullName: 'Tim', email: 'tim@example.com', phone, unconfirmed: ['phone'] })
  const newcomerOf = await createCustomer(sample.deps, {
    fullName: 'Nora New',
    email: 'nora@example.com',
    phone: '+447700900777',
    unconfirmed: ['phone'],
  })
  const nora = sample.browser(await signInCookie(sample.deps, newcomerOf.id))
  const texts = async (browser: Browser) => (await (await browser.get('/api/v1/sample/mail')).json()).texts
  expect((await ask(taker.browser)).status).toBe(202)
  expect((await ask(nora)).status).toBe(202)
  expect(await texts(taker.browser)).toEqual([])
  expect(await texts(owner.browser)).toEqual([
    {
      id: expect.any(String),
      to: phone,
      language: 'en',
      text: expect.stringMatching(/\d{6}/),
      createdAt: expect.any(String),
    },
  ])
  const [text] = await texts(nora)
  expect((await confirm(nora, /\d{6}/.exec(text.text)?.[0] ?? '')).status).toBe(204)
  await sample.close()
})

test.each([[{}], [{ code: '' }], [{ code: 123_456 }], [{ code: '1'.repeat(21) }], [{ code: '1', phone: '+44' }]])(
  '%j is refused, and does not count as an attempt',
  async (body) => {
    await ask(ann.browser)
    for (let times = 0; times < 6; times += 1)
      expect((await ann.browser.post('/api/v1/phone-confirmations', body)).status).toBe(400)
    expect((await confirm(ann.browser, await codeOf(ann))).status).toBe(204)
  },
)
