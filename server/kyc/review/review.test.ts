import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Kyc, type KycDocument, MAX_DOCUMENT_BYTES, type ReviewCase } from '#contract/kyc.ts'
import type { NewCustomer } from '#server/identity/customers/customers.ts'
import { mailsTo } from '#server/test/mails.ts'
import { handIn, toBody, upload } from '#server/test/documents.ts'
import { pdfFile } from '#server/test/files.ts'
import { books, expectRefusal, type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'
import { Client } from 'pg'

let server: PeopleServer
let owner: Client
let rita: Person
let ravi: Person
let ann: Person
let round = 0

beforeAll(async () => {
  server = await peopleServer({ config: { mode: 'live' } })
  owner = new Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  rita = await reviewer({ fullName: 'Rita Reviewer', email: 'rita@example.com' })
  ravi = await reviewer({ fullName: 'Ravi Reviewer', email: 'ravi@example.com' })
})
afterAll(async () => {
  await owner.end()
  await server.close()
})
beforeEach(async () => {
  round += 1
  await owner.query(`DELETE FROM bank.kyc_document`)
  await owner.query(`UPDATE bank.kyc_case SET status = 'required', reason = NULL`)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
})

async function reviewer(who: NewCustomer): Promise<Person> {
  const person = await server.person(who)
  await owner.query(`UPDATE bank.customer SET role = 'reviewer' WHERE id = $1`, [person.customer.id])
  return person
}

const rows = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const queue = async (person: Person = rita) =>
  ((await (await person.browser.get('/api/v1/review/cases')).json()) as { cases: ReviewCase[] }).cases
const decide = (id: string, body: unknown, person: Person = rita) =>
  person.browser.post(`/api/v1/review/cases/${id}/decisions`, body)
const kycOf = async (person: Person = ann) => (await (await person.browser.get('/api/v1/kyc')).json()) as Kyc
const customerRow = async ({ customer }: Person) =>
  (await rows('SELECT verified_at, phone_confirmed_at FROM bank.customer WHERE id = $1', [customer.id]))[0]
const openOne = (id: string, documentId: string, person: Person = rita) =>
  person.browser.get(`/api/v1/review/cases/${id}/documents/${documentId}`)

/** Ann's case, handed in. */
async function annsCase(person: Person = ann): Promise<ReviewCase & { documents: [KycDocument, ...KycDocument[]] }> {
  await handIn(server, person.browser)
  const found = (await queue()).find(({ email }) => email === person.customer.email)
  if (!found) throw new Error('The case is not in the queue')
  return found as ReviewCase & { documents: [KycDocument, ...KycDocument[]] }
}

/** What the customer was told: in the app, by mail, and in the log of their account. */
async function told({ customer }: Person = ann) {
  const [notices, mails, events] = await Promise.all([
    rows('SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id', [customer.id]),
    mailsTo(server.deps, customer.email),
    rows('SELECT kind, device FROM bank.security_event WHERE customer_id = $1 ORDER BY id', [customer.id]),
  ])
  return { notices, mails, events }
}

describe('the queue', () => {
  test('shows who waits, the longest waiting first, with what they said of themselves', async () => {
    await owner.query(
      `UPDATE bank.customer SET date_of_birth = '1990-02-28', address = '1 High Street', postcode = 'N1 1AA' WHERE id = $1`,
      [ann.customer.id],
    )
    const bob = await server.person({
      fullName: 'Bob May',
      email: `bob${round}@example.com`,
      phone: `+44770090${1000 + round}`,
    })
    await handIn(server, bob.browser)
    await server.clock.advance(60_000)
    const found = await annsCase()
    expect((await queue()).map(({ fullName }) => fullName)).toEqual(['Bob May', 'Ann Lee'])
    expect(found).toMatchObject({
      fullName: 'Ann Lee',
      dateOfBirth: '1990-02-28',
      address: '1 High Street',
      postcode: 'N1 1AA',
      phone: null,
      status: 'submitted',
      reason: null,
      own: false,
    })
    expect(found.documents.map(({ step }) => step)).toEqual(['id', 'selfie', 'address'])
    expect(found.id).not.toBe(ann.customer.id)
    expect(JSON.stringify(found)).not.toContain(ann.customer.id)
    expect(await (await rita.browser.get(`/api/v1/review/cases/${found.id}`)).json()).toEqual(found)
  })

  test('leaves out what was not handed in and what was decided', async () => {
    await upload(server, ann.browser)
    expect(await queue()).toEqual([])
    const { id } = await annsCase()
    await decide(id, { decision: 'approve' })
    expect(await queue()).toEqual([])
    const [begun] = await rows('SELECT id FROM bank.kyc_case WHERE submitted_at IS NULL LIMIT 1')
    if (begun) await expectRefusal(await rita.browser.get(`/api/v1/review/cases/${begun.id}`), 'not_found')
  })
})

test('to anybody but a reviewer there is nothing here, whatever they ask', async () => {
  const { id, documents } = await annsCase()
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  for (const person of [ann, bob]) {
    const { browser } = person
    await expectRefusal(await browser.get('/api/v1/review/cases'), 'not_found')
    await expectRefusal(await browser.get(`/api/v1/review/cases/${id}`), 'not_found')
    await expectRefusal(await openOne(id, documents[0].id, person), 'not_found')
    for (const body of [{ decision: 'approve' }, {}, { decision: 'reject' }, { nonsense: true }]) {
      await expectRefusal(await decide(id, body, person), 'not_found')
    }
  }
  await expectRefusal(await server.browser().get('/api/v1/review/cases'), 'sign_in_required')
  expect(await kycOf()).toMatchObject({ status: 'submitted' })
  expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toEqual([])
})

test('who was a reviewer is none from the next request on', async () => {
  const rob = await reviewer({ fullName: 'Rob Former', email: `rob${round}@example.com` })
  expect((await rob.browser.get('/api/v1/review/cases')).status).toBe(200)
  await owner.query(`UPDATE bank.customer SET role = 'customer' WHERE id = $1`, [rob.customer.id])
  await expectRefusal(await rob.browser.get('/api/v1/review/cases'), 'not_found')
})

describe('a document', () => {
  test('opens for a reviewer, and each opening is written down for the bank and for its customer', async () => {
    const { id, documents } = await annsCase()
    const [passport] = documents
    const answer = await openOne(id, passport.id)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="passport.jpg"')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect((await answer.arrayBuffer()).byteLength).toBe(passport.size)
    await openOne(id, passport.id, ravi)
    expect(
      await rows('SELECT reviewer_id, act, document_id FROM bank.kyc_review WHERE case_id = $1 ORDER BY id', [id]),
    ).toEqual([rita, ravi].map(({ customer }) => ({ reviewer_id: customer.id, act: 'open', document_id: passport.id })))
    const { events } = await told()
    expect(events.slice(1)).toEqual(
      [rita, ravi].map(() => ({ kind: 'document_opened', device: "Alder's review desk" })),
    )
    expect(JSON.stringify(events)).not.toContain('Rita')
  })

  test('opens also while a customer takes their time over theirs, in many windows', async () => {
    const { id, documents } = await annsCase()
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const letter = toBody(pdfFile(Buffer.alloc(MAX_DOCUMENT_BYTES - 1000, 0x41)))
    const sent = await upload(server, bob.browser, {
      step: 'address',
      type: 'utility_bill',
      declared: 'application/pdf',
      body: letter,
    })
    const [own] = ((await sent.json()) as Kyc).documents
    const asked = Array.from({ length: 12 }, () =>
      get(`${server.url}/api/v1/kyc/documents/${own?.id}`, { headers: { cookie: bob.browser.cookie() }, agent: false }),
    )
    for (const request of asked) request.on('error', () => undefined)
    // The first has begun to arrive, and nobody reads on.
    await Promise.race(asked.map((request) => once(request, 'response')))
    expect((await openOne(id, documents[0].id)).status).toBe(200)
    for (const request of asked) request.destroy()
  })

  test('is found by its own case alone', async () => {
    const { id, documents } = await annsCase()
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const bobs = await annsCase(bob)
    await expectRefusal(await openOne(bobs.id, documents[0].id), 'not_found')
    await expectRefusal(await openOne(randomUUID(), documents[0].id), 'not_found')
    for (const bad of ['x', '%00', "'", randomUUID()]) {
      await expectRefusal(await openOne(id, bad), 'not_found')
      await expectRefusal(await openOne(bad, documents[0].id), 'not_found')
      await expectRefusal(await decide(bad, { decision: 'approve' }), 'not_found')
    }
    expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toEqual([])
  })
})

describe('a decision', () => {
  test('to approve lifts the limits, confirms the phone and tells the customer', async () => {
    const phone = `+4477009200${10 + round}`
    const bob = await server.person({
      fullName: 'Bob May',
      email: `bob${round}@example.com`,
      phone,
      unconfirmed: ['phone'],
    })
    const before = await books(server)
    const { id } = await annsCase(bob)
    const answer = await decide(id, { decision: 'approve' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id, status: 'approved', reason: null })
    expect(await kycOf(bob)).toMatchObject({ status: 'approved', reason: null })
    const now = server.clock.realNow()
    expect(await customerRow(bob)).toEqual({ verified_at: now, phone_confirmed_at: now })
    const { notices, mails, events } = await told(bob)
    expect(notices).toEqual([{ kind: 'kyc_approved', params: { reason: null } }])
    expect(mails.map(({ subject }) => subject)).toEqual(['Identity verified'])
    expect(mails[0]?.text).toContain('/kyc')
    expect(events.map(({ kind }) => kind)).toEqual(['kyc_submitted', 'kyc_approved'])
    await expectRefusal(await upload(server, bob.browser), 'verification_closed')
    expect(await books(server)).toEqual(before)
  })

  test('to approve leaves a phone alone that is confirmed as somebody else’s, at the same moment too', async () => {
    const phone = `+4477009300${10 + round}`
    const people = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        server.person({ fullName: name, email: `${name}${round}@example.com`, phone, unconfirmed: ['phone'] }),
      ),
    )
    const cases: ReviewCase[] = []
    for (const person of people) cases.push(await annsCase(person))
    const answers = await Promise.all(cases.map(({ id }) => decide(id, { decision: 'approve' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const confirmed = await Promise.all(people.map(customerRow))
    expect(confirmed.filter((row) => row.phone_confirmed_at)).toHaveLength(1)
    expect(confirmed.filter((row) => row.verified_at)).toHaveLength(3)
  })

  test('to reject is final, and says why', async () => {
    const { id } = await annsCase()
    const reason = 'The photo shows\nsomebody else. <b>Sorry</b>'
    expect((await decide(id, { decision: 'reject', reason })).status).toBe(200)
    expect(await kycOf()).toMatchObject({ status: 'rejected', reason })
    expect(await customerRow(ann)).toMatchObject({ verified_at: null })
    const { notices, mails, events } = await told()
    expect(notices).toEqual([{ kind: 'kyc_rejected', params: { reason } }])
    expect(mails[0]).toMatchObject({ subject: 'Identity not verified', text: expect.stringContaining(`"${reason}"`) })
    expect(events.at(-1)?.kind).toBe('kyc_rejected')
    await expectRefusal(await upload(server, ann.browser), 'verification_closed')
    await expectRefusal(await ann.browser.post('/api/v1/kyc/submission', {}), 'verification_closed')
    await expectRefusal(await decide(id, { decision: 'approve' }), 'verification_decided')
  })

  test('to ask again keeps none of the documents, and the next ones are read anew', async () => {
    const { id, documents } = await annsCase()
    expect((await decide(id, { decision: 'again', reason: 'Too dark' })).status).toBe(200)
    expect(await kycOf()).toMatchObject({ status: 'again', reason: 'Too dark', documents: [] })
    expect((await told()).mails[0]?.text).toContain('Send them here:')
    await expectRefusal(await openOne(id, documents[0].id), 'not_found')
    await expectRefusal(await ann.browser.post('/api/v1/kyc/submission', {}), 'verification_incomplete')
    await expectRefusal(await decide(id, { decision: 'approve' }), 'verification_decided')
    await server.clock.advance(1000)
    const next = await annsCase()
    expect(next).toMatchObject({ id, status: 'submitted', reason: null })
    expect((await decide(id, { decision: 'approve' })).status).toBe(200)
    expect(await rows('SELECT act, reason FROM bank.kyc_review WHERE case_id = $1 ORDER BY id', [id])).toEqual([
      { act: 'again', reason: 'Too dark' },
      { act: 'approve', reason: null },
    ])
  })

  test('is about the documents that were shown, not about those sent in since', async () => {
    const { id, submittedAt } = await annsCase()
    await decide(id, { decision: 'again', reason: 'Too dark' })
    await server.clock.advance(1000)
    const next = await annsCase()
    await expectRefusal(await decide(id, { decision: 'approve', submittedAt }, ravi), 'verification_decided')
    expect(await kycOf()).toMatchObject({ status: 'submitted' })
    expect((await decide(id, { decision: 'approve', submittedAt: next.submittedAt }, ravi)).status).toBe(200)
  })

  test.each(['reject', 'again'])('to %s wants a reason', async (decision) => {
    const { id } = await annsCase()
    await expectRefusal(await decide(id, { decision }), 'fields_missing', 'reason')
    expect(await kycOf()).toMatchObject({ status: 'submitted' })
  })

  test.each([
    [{}, 'decision'],
    [{ decision: 'accept' }, 'decision'],
    [{ decision: 'reject', reason: '  ' }, 'reason'],
    [{ decision: 'reject', reason: 'x'.repeat(501) }, 'reason'],
    [{ decision: 'reject', reason: 'a\0b' }, 'reason'],
    [{ decision: 'approve', submittedAt: 'yesterday' }, 'submittedAt'],
    [{ decision: 'approve', role: 'reviewer' }, 'role'],
    [{ decision: 'approve', customerId: randomUUID() }, 'customerId'],
  ])('%j is none', async (body, field) => {
    const { id } = await annsCase()
    await expectRefusal(await decide(id, body), 'request_invalid', field)
    expect(await kycOf()).toMatchObject({ status: 'submitted' })
  })

  test('waits for who closes or renames the customer, without standing in their way', async () => {
    const { id } = await annsCase()
    await owner.query('BEGIN')
    await owner.query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [ann.customer.id])
    const [decided, sent] = [decide(id, { decision: 'approve' }), ann.browser.post('/api/v1/kyc/submission', {})]
    const waiting = async () =>
      (
        await rows(`SELECT count(*) AS waiting FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      )[0].waiting
    await expect.poll(waiting, { timeout: 10_000 }).toBe(2)
    await owner.query('SELECT FROM bank.kyc_case WHERE id = $1 FOR UPDATE NOWAIT', [id])
    await owner.query('COMMIT')
    await expectRefusal(await decided, 'verification_decided')
    await expectRefusal(await sent, 'sign_in_required')
  })

  test('of two reviewers at once, one decides', async () => {
    for (let time = 0; time < 5; time += 1) {
      const person = await server.person({ fullName: 'Both', email: `both${round}.${time}@example.com` })
      const { id } = await annsCase(person)
      const answers = await Promise.all([
        decide(id, { decision: 'approve' }),
        decide(id, { decision: 'reject', reason: 'No' }, ravi),
        decide(id, { decision: 'again', reason: 'No' }, ravi),
        decide(id, { decision: 'approve' }, ravi),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status === 409))
        await expectRefusal(answer, 'verification_decided')
      expect((await told(person)).notices).toHaveLength(1)
      expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toHaveLength(1)
    }
  })

  test('is nobody’s over themselves', async () => {
    const rob = await reviewer({ fullName: 'Rob Own', email: `rob${round}@example.com` })
    const { id, documents } = await annsCase(rob)
    expect((await queue(rob)).find((found) => found.id === id)).toMatchObject({ own: true })
    await expectRefusal(await openOne(id, documents[0].id, rob), 'verification_own')
    await expectRefusal(await decide(id, { decision: 'approve' }, rob), 'verification_own')
    await expectRefusal(await decide(id, { decision: 'reject' }, rob), 'verification_own')
    expect(await kycOf(rob)).toMatchObject({ status: 'submitted' })
    expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toEqual([])
    expect((await decide(id, { decision: 'approve' })).status).toBe(200)
  })

  test('is not mailed to an address that may be somebody else’s', async () => {
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com`, unconfirmed: ['email'] })
    const { id } = await annsCase(bob)
    await decide(id, { decision: 'approve' })
    const { notices, mails } = await told(bob)
    expect(notices).toHaveLength(1)
    expect(mails).toEqual([])
  })
})

describe('a customer who becomes somebody else', () => {
  const change = (body: object) => ann.browser.send('PATCH', '/api/v1/profile', JSON.stringify(body))

  test('is verified anew, and limited until then', async () => {
    await change({ dateOfBirth: '1990-02-28' })
    await decide((await annsCase()).id, { decision: 'approve' })
    expect(await customerRow(ann)).toMatchObject({ verified_at: expect.any(Date) })
    for (const body of [{ fullName: 'Anna Lee' }, { dateOfBirth: '1990-03-01' }]) {
      expect((await change(body)).status).toBe(200)
      expect(await kycOf()).toMatchObject({
        status: 'again',
        documents: [],
        reason: expect.stringContaining('changed'),
      })
      expect(await customerRow(ann)).toMatchObject({ verified_at: null })
      expect((await told()).notices.at(-1)).toMatchObject({ kind: 'kyc_again' })
      await decide((await annsCase()).id, { decision: 'approve' })
    }
  })

  test('leaves the queue where they waited in it, and stays refused where they were', async () => {
    const { id } = await annsCase()
    await change({ fullName: 'Anna Lee' })
    await expectRefusal(await decide(id, { decision: 'approve' }), 'verification_decided')
    await annsCase()
    await decide(id, { decision: 'reject', reason: 'No' })
    await change({ fullName: 'Ann Lee' })
    expect((await kycOf()).status).toBe('rejected')
  })

  test('a first birthday, an address or the same name again make nobody else of them', async () => {
    await decide((await annsCase()).id, { decision: 'approve' })
    await change({ dateOfBirth: '1990-02-28', address: '1 High Street', fullName: ' Ann Lee ' })
    expect((await kycOf()).status).toBe('approved')
    expect(await customerRow(ann)).toMatchObject({ verified_at: expect.any(Date) })
  })
})
