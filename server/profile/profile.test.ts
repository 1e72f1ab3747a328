import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Profile } from '#contract/profile.ts'
import { testClock } from '#server/test/bank.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const clock = testClock()
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  const number = String(1_000 + round)
  ann = await server.person({
    fullName: 'Ann Lee',
    email: `ann${round}@example.com`,
    phone: `+12125550${number.slice(1)}`,
  })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com`, phone: `+4477009${number}0` })
})

const patch = (person: TestPerson, body: unknown) =>
  person.browser.send('PATCH', '/api/v1/profile', JSON.stringify(body))

const PASSWORD = 'correct horse battery'

async function profileOf(person: TestPerson): Promise<Profile> {
  return (await person.browser.get('/api/v1/profile')).json() as Promise<Profile>
}

async function changed(person: TestPerson, body: unknown): Promise<Profile> {
  const answer = await patch(person, body)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Profile
}

/** Returns a customer's row and all rows that were written about them. */
async function rowsOf({ customer }: TestPerson) {
  const { rows } = await server.deps.pool.query(
    `SELECT to_jsonb(c) AS customer,
            (SELECT array_agg(kind ORDER BY id) FROM bank.security_event WHERE customer_id = c.id) AS events,
            (SELECT count(*) FROM bank.mail WHERE customer_id = c.id) AS mails,
            (SELECT to_jsonb(e) FROM bank.email_change e WHERE customer_id = c.id) AS wish
       FROM bank.customer c WHERE id = $1`,
    [customer.id],
  )
  return rows[0]
}

test('a new customer has few details', async () => {
  expect(await profileOf(ann)).toEqual({
    fullName: 'Ann Lee',
    email: `ann${round}@example.com`,
    pendingEmail: null,
    phone: ann.customer.phone,
    phoneConfirmed: true,
    phoneConfirmable: true,
    dateOfBirth: null,
    address: null,
    postcode: null,
    notifications: true,
    transactionAlerts: true,
    language: null,
  })
})

test('changed details are normalized, and omitted ones stay', async () => {
  const first = await changed(ann, {
    fullName: '  Ann \u202eMarie\n Lee ',
    dateOfBirth: '1990-02-28',
    address: '1 Fern Lane\nElmswick',
    postcode: ' ab1  2cd ',
  })
  expect(first).toMatchObject({
    fullName: 'Ann Marie Lee',
    dateOfBirth: '1990-02-28',
    address: '1 Fern Lane\nElmswick',
    postcode: 'AB1 2CD',
    phone: ann.customer.phone,
  })
  expect(await changed(ann, { address: '', dateOfBirth: '', postcode: '' })).toEqual({
    ...first,
    address: null,
    dateOfBirth: null,
    postcode: null,
  })
  expect(await profileOf(bob)).toMatchObject({ fullName: 'Bob May', address: null })
})

test('a change is recorded, and saving the same details is no change', async () => {
  await changed(ann, { address: '1 Fern Lane' })
  await changed(ann, {
    address: '1 Fern Lane',
    fullName: 'Ann Lee',
    phone: ann.customer.phone,
    email: ann.customer.email,
  })
  await changed(ann, {})
  const events = await (await ann.browser.get('/api/v1/security-events')).json()
  expect(events.events.map(({ kind }: { kind: string }) => kind)).toEqual(['details_changed'])
})

describe('a date of birth', () => {
  // The business date is 28 August 2026.
  test.each(['2008-08-28', '1906-08-28', '2004-02-29'])('%s is accepted', async (dateOfBirth) => {
    expect((await changed(ann, { dateOfBirth })).dateOfBirth).toBe(dateOfBirth)
  })

  test.each([
    '2008-08-29',
    '1906-08-27',
    '2026-08-29',
    '2001-02-29',
    '1990-13-01',
    '1990-1-1',
    '28/08/1990',
    'soon',
    7,
    null,
  ])('%j is refused, and nothing changes', async (dateOfBirth) => {
    const before = await rowsOf(ann)
    await expectRefusal(await patch(ann, { fullName: 'Other', dateOfBirth }), 'birth_date_invalid', 'dateOfBirth')
    expect(await rowsOf(ann)).toEqual(before)
  })
})

describe('a postcode', () => {
  test.each([
    ['sw1a 1aa', 'SW1A 1AA'],
    ['10115', '10115'],
    ['1000-205', '1000-205'],
    ['１００', '100'],
  ])('%j is stored as %j', async (postcode, stored) => {
    expect((await changed(ann, { postcode })).postcode).toBe(stored)
  })

  test.each(['AB', '12345678901', '-123', '12 ', 'AB1_2CD', '<b>', 'ÄÖÜ', 12345])('%j is refused', async (postcode) => {
    const before = await rowsOf(ann)
    await expectRefusal(await patch(ann, { postcode }), 'postcode_invalid', 'postcode')
    expect(await rowsOf(ann)).toEqual(before)
  })
})

test.each(['', '  ', '\u200b\u2060', '\u202e'])('the name %j is missing', async (fullName) => {
  const before = await rowsOf(ann)
  await expectRefusal(await patch(ann, { fullName }), 'fields_missing', 'fullName')
  expect(await rowsOf(ann)).toEqual(before)
})

test.each([
  [{ email: 'nobody' }, 'email_invalid', 'email'],
  [{ email: '+447700900123' }, 'email_invalid', 'email'],
  [{ email: '' }, 'fields_missing', 'email'],
  [{ email: `${'x'.repeat(250)}@example.com` }, 'email_invalid', 'email'],
  [{ phone: 'ann@example.com' }, 'phone_invalid', 'phone'],
  [{ phone: '12' }, 'phone_invalid', 'phone'],
  [{ phone: '1'.repeat(41) }, 'phone_invalid', 'phone'],
  [{ fullName: 'x'.repeat(121) }, 'request_invalid', 'fullName'],
  [{ address: 'x'.repeat(301) }, 'request_invalid', 'address'],
  [{ address: 'a\0b' }, 'request_invalid', 'address'],
  [{ fullName: 7 }, 'request_invalid', 'fullName'],
  ...['role', 'kycStatus', 'customerId', 'id', 'emailConfirmedAt', 'email_confirmed_at', 'closedAt', 'verifiedAt'].map(
    (field) => [{ fullName: 'Mallory', [field]: 'reviewer' }, 'request_invalid', field] as const,
  ),
] as const)('%j is refused, and nothing changes', async (body, code, field) => {
  const before = [await rowsOf(ann), await rowsOf(bob)]
  await expectRefusal(await patch(ann, body), code, field)
  expect([await rowsOf(ann), await rowsOf(bob)]).toEqual(before)
})

describe('a phone number', () => {
  test('without a country code gets that of the old number, and belongs to the customer from then on', async () => {
    expect((await changed(ann, { phone: '(212) 555-7890' })).phone).toBe('+12125557890')
    await bob.fund(10_00)
    const response = await bob.browser.post('/api/v1/transfers', {
      recipient: '+1 212 555 7890',
      amountMinor: 1_00,
      asset: 'USD',
    })
    expect((await response.json()).transaction.status).toBe('completed')
    expect(await ann.balanceMinor()).toBe(1_00)
    // The phone number is free for a new owner.
    expect((await changed(ann, { phone: '' })).phone).toBeNull()
    expect((await changed(bob, { phone: '+12125557890' })).phone).toBe('+12125557890')
    expect((await rowsOf(bob)).customer.phone_confirmed_at).not.toBeNull()
  })

  test('of another customer gets the same response, and still belongs to them', async () => {
    const free = await changed(ann, { phone: '+447700911111' })
    const response = await changed(ann, { phone: bob.customer.phone })
    expect({ ...response, phone: free.phone }).toEqual(free)
    expect((await rowsOf(ann)).customer.phone_confirmed_at).toBeNull()
    const cy = await server.person({ fullName: 'Cy Roe', email: `cy${round}@example.com` })
    await cy.fund(10_00)
    await cy.browser.post('/api/v1/transfers', { recipient: bob.customer.phone, amountMinor: 1_00, asset: 'USD' })
    expect([await ann.balanceMinor(), await bob.balanceMinor()]).toEqual([0, 1_00])
  })

  test('that many customers enter at the same moment is confirmed for one of them', async () => {
    const people = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        server.person({ fullName: 'Many', email: `many${index}.${round}@example.com` }),
      ),
    )
    const phone = `+4477008${String(10_000 + round)}`
    expect(
      (await Promise.all(people.map((person) => changed(person, { phone })))).map((person) => person.phone),
    ).toEqual(people.map(() => phone))
    const rows = await Promise.all(people.map(rowsOf))
    expect(rows.filter(({ customer }) => customer.phone_confirmed_at !== null)).toHaveLength(1)
  })
})

test('in live mode a new phone number finds no customer until it is confirmed', async () => {
  const live = await peopleServer({ config: { mode: 'live' } })
  const passwordHash = await hashPassword(PASSWORD)
  const eve = await live.person({ fullName: 'Eve Low', email: 'eve@example.com', phone: '+447700900001', passwordHash })
  const confirmedAt = async () =>
    (await live.deps.pool.query('SELECT phone_confirmed_at AS at FROM bank.customer WHERE id = $1', [eve.customer.id]))
      .rows[0].at
  expect(await confirmedAt()).not.toBeNull()
  await changed(eve, { phone: '+447700900001' })
  expect(await confirmedAt()).not.toBeNull()
  const body = { phone: '+447700900002' }
  const answer = await sendWithProof(eve.browser, ['PATCH', '/api/v1/profile'], { password: PASSWORD }, { body })
  expect(answer.status).toBe(200)
  expect(await confirmedAt()).toBeNull()
  await live.close()
})

describe('preferences', () => {
  const prefer = (body: unknown) => ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify(body))

  test('are stored one by one', async () => {
    const answer = await prefer({ transactionAlerts: false })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ notifications: true, transactionAlerts: false })
    expect(await (await prefer({ notifications: false })).json()).toMatchObject({
      notifications: false,
      transactionAlerts: false,
    })
    expect(await (await prefer({})).json()).toEqual(await profileOf(ann))
    expect(await (await prefer({ language: 'en' })).json()).toEqual(await profileOf(ann))
    await prefer({ biometricLogin: false })
    expect((await rowsOf(ann)).customer.biometric_login).toBe(false)
    expect((await rowsOf(bob)).customer.biometric_login).toBe(true)
  })

  test.each([
    [{ notifications: 'yes' }, 'notifications'],
    [{ transactionAlerts: 1 }, 'transactionAlerts'],
    [{ biometricLogin: null }, 'biometricLogin'],
    [{ language: 'tlh' }, 'language'],
    [{ language: '' }, 'language'],
    [{ language: null }, 'language'],
    [{ notifications: false, role: 'reviewer' }, 'role'],
    [{ notifications: false, customerId: randomUUID() }, 'customerId'],
  ])('%j is refused, and nothing changes', async (body, field) => {
    const before = await rowsOf(ann)
    await expectRefusal(await prefer(body), 'request_invalid', field)
    expect(await rowsOf(ann)).toEqual(before)
  })
})

test('the number of changes of details is limited, and further ones are not recorded', async () => {
  const before = ((await rowsOf(ann)).events ?? []).length
  const statuses: number[] = []
  for (let count = 0; count < 65; count += 1)
    statuses.push((await patch(ann, { address: count % 2 === 0 ? '1 North Road' : '2 South Road' })).status)
  expect(statuses).toEqual([...Array(60).fill(200), ...Array(5).fill(429)])
  expect((await rowsOf(ann)).events).toHaveLength(before + 60)
  expect((await patch(bob, { address: '1 North Road' })).status).toBe(200)
})
