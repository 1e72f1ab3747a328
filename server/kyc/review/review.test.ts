import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, get } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import type { Kyc, KycDocument, ReviewCase } from '#contract/kyc.ts'
import type { NewCustomer } from '#server/identity/customers/customers.ts'
import { mailsTo } from '#server/test/mails.ts'
import { submitAllDocuments, toBody, uploadTestDocument } from '#server/test/documents.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { giveSecondFactor, type SecondFactor } from '#server/test/second-factor.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { Client } from 'pg'
import sharp from 'sharp'

let server: PeopleServer
let owner: Client
type ReviewerPerson = TestPerson & SecondFactor
let rita: ReviewerPerson
let ravi: ReviewerPerson
let ann: TestPerson
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

async function reviewer(who: NewCustomer): Promise<ReviewerPerson> {
  const person = await server.person(who)
  await owner.query(`UPDATE bank.customer SET role = 'reviewer' WHERE id = $1`, [person.customer.id])
  return { ...person, ...(await giveSecondFactor(server, person)) }
}

const rows = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const queue = async (person: TestPerson = rita) =>
  ((await (await person.browser.get('/api/v1/review/cases')).json()) as { cases: ReviewCase[] }).cases
const unlock = (id: string, person: ReviewerPerson = rita) =>
  person.prove((headers) => person.browser.post(`/api/v1/review/cases/${id}/unlock`, undefined, { headers }))
/**
 * Returns a case as a reviewer sees it after unlocking it and opening its documents. Returns null if the reviewer cannot see
 * it.
 */
async function lookAt(id: string, person: TestPerson = rita): Promise<ReviewCase | null> {
  const answer = 'prove' in person ? await unlock(id, person as ReviewerPerson) : await unlockPlainly(id, person)
  if (answer.status !== 200) return null
  const kycCase = (await answer.json()) as ReviewCase
  for (const document of kycCase.documents) await openOne(id, document.id, person)
  return kycCase
}
const unlockPlainly = (id: string, { browser }: TestPerson) => browser.post(`/api/v1/review/cases/${id}/unlock`)
const post = (id: string, body: unknown, person: TestPerson = rita) =>
  person.browser.post(`/api/v1/review/cases/${id}/decisions`, body)
/** Looks at a case and decides it in the state that was shown. */
async function decide(id: string, body: object, person: TestPerson = rita): Promise<Response> {
  const seen = await lookAt(id, person)
  return post(id, { digest: seen?.digest ?? 'none', ...body }, person)
}
const kycOf = async (person: TestPerson = ann) => (await (await person.browser.get('/api/v1/kyc')).json()) as Kyc
/** Returns the decisions of a case. */
const decisions = (id: string) =>
  rows(`SELECT act, reason FROM bank.kyc_review WHERE case_id = $1 AND act NOT IN ('unlock', 'open') ORDER BY id`, [id])
const customerRow = async ({ customer }: TestPerson) =>
  (await rows('SELECT verified_at, phone_confirmed_at FROM bank.customer WHERE id = $1', [customer.id]))[0]
const openOne = (id: string, documentId: string, person: TestPerson = rita) =>
  person.browser.get(`/api/v1/review/cases/${id}/documents/${documentId}`)

/** Submits Ann's case and returns it. */
async function annsCase(
  person: TestPerson = ann,
): Promise<ReviewCase & { documents: [KycDocument, ...KycDocument[]] }> {
  await submitAllDocuments(server, person.browser)
  const kycCase = (await queue()).find(({ email }) => email === person.customer.email)
  if (!kycCase) throw new Error('The case is not in the queue')
  return kycCase as ReviewCase & { documents: [KycDocument, ...KycDocument[]] }
}

/** Returns what the customer received: notices in the app, mails and security events. */
async function readNotifications({ customer }: TestPerson = ann) {
  const [notices, mails, events] = await Promise.all([
    rows('SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id', [customer.id]),
    mailsTo(server.deps, customer.email),
    rows('SELECT kind, device FROM bank.security_event WHERE customer_id = $1 ORDER BY id', [customer.id]),
  ])
  return { notices, mails, events }
}

describe('the queue', () => {
  test('lists waiting customers, the longest first, with their details', async () => {
    await owner.query(
      `UPDATE bank.customer SET date_of_birth = '1990-02-28', address = '1 High Street', postcode = 'N1 1AA' WHERE id = $1`,
      [ann.customer.id],
    )
    const bob = await server.person({
      fullName: 'Bob May',
      email: `bob${round}@example.com`,
      phone: `+44770090${1000 + round}`,
    })
    await submitAllDocuments(server, bob.browser)
    await server.clock.advance(60_000)
    const kycCase = await annsCase()
    expect((await queue()).map(({ fullName }) => fullName)).toEqual(['Bob May', 'Ann Lee'])
    expect(kycCase).toMatchObject({
      fullName: 'Ann Lee',
      dateOfBirth: '1990-02-28',
      address: '1 High Street',
      postcode: 'N1 1AA',
      phone: null,
      status: 'submitted',
      reason: null,
      own: false,
    })
    expect(kycCase.documents.map(({ step }) => step)).toEqual(['id', 'selfie', 'address'])
    expect(kycCase.id).not.toBe(ann.customer.id)
    expect(JSON.stringify(kycCase)).not.toContain(ann.customer.id)
    expect(kycCase).toMatchObject({ unlocked: false, digest: expect.any(String) })
    expect(await (await rita.browser.get(`/api/v1/review/cases/${kycCase.id}`)).json()).toEqual(kycCase)
  })

  test('excludes documents that are not submitted, and decided cases', async () => {
    await uploadTestDocument(server, ann.browser)
    expect(await queue()).toEqual([])
    const { id } = await annsCase()
    await decide(id, { decision: 'approve' })
    expect(await queue()).toEqual([])
    const [unsubmittedCase] = await rows('SELECT id FROM bank.kyc_case WHERE submitted_at IS NULL LIMIT 1')
    if (unsubmittedCase)
      await expectRefusal(await rita.browser.get(`/api/v1/review/cases/${unsubmittedCase.id}`), 'not_found')
  })
})

test('every route is not found without the reviewer role', async () => {
  const { id, documents } = await annsCase()
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  for (const person of [ann, bob]) {
    const { browser } = person
    await expectRefusal(await browser.get('/api/v1/review/cases'), 'not_found')
    await expectRefusal(await browser.get(`/api/v1/review/cases/${id}`), 'not_found')
    await expectRefusal(await openOne(id, documents[0].id, person), 'not_found')
    for (const body of [{ decision: 'approve' }, {}, { decision: 'reject' }, { nonsense: true }]) {
      await expectRefusal(await post(id, body, person), 'not_found')
    }
    await expectRefusal(await unlockPlainly(id, person), 'not_found')
    await expectRefusal(await browser.get(`/api/v1/review/cases/${id}/history`), 'not_found')
  }
  await expectRefusal(await server.browser().get('/api/v1/review/cases'), 'sign_in_required')
  expect(await kycOf()).toMatchObject({ status: 'submitted' })
  expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toEqual([])
})

test('a reviewer without the role loses access from the next request on', async () => {
  const rob = await reviewer({ fullName: 'Rob Former', email: `rob${round}@example.com` })
  expect((await rob.browser.get('/api/v1/review/cases')).status).toBe(200)
  await owner.query(`UPDATE bank.customer SET role = 'customer' WHERE id = $1`, [rob.customer.id])
  await expectRefusal(await rob.browser.get('/api/v1/review/cases'), 'not_found')
})

describe('a second factor', () => {
  const everything = (id: string, documentId: string, { browser }: TestPerson) => [
    browser.get('/api/v1/review/cases'),
    browser.get(`/api/v1/review/cases/${id}`),
    browser.get(`/api/v1/review/cases/${id}/history`),
    browser.get(`/api/v1/review/cases/${id}/documents/${documentId}`),
    browser.post(`/api/v1/review/cases/${id}/unlock`),
    browser.post(`/api/v1/review/cases/${id}/decisions`, { decision: 'approve', digest: 'x' }),
  ]

  test('is required on every route for reviewers', async () => {
    const { id, documents } = await annsCase()
    const passwordHash = await hashPassword('a long walk by the river')
    const rob = await server.person({ fullName: 'Rob Bare', email: `rob${round}@example.com`, passwordHash })
    await owner.query(`UPDATE bank.customer SET role = 'reviewer' WHERE id = $1`, [rob.customer.id])
    for (const answer of await Promise.all(everything(id, documents[0].id, rob))) {
      await expectRefusal(answer, 'second_factor_required')
    }
    const withFactor = { ...rob, ...(await giveSecondFactor(server, rob)) }
    expect(await lookAt(id, withFactor)).toMatchObject({ id, unlocked: true })
    await owner.query('DELETE FROM bank.two_factor WHERE customer_id = $1', [rob.customer.id])
    for (const answer of await Promise.all(everything(id, documents[0].id, rob))) {
      await expectRefusal(answer, 'second_factor_required')
    }
    expect(await decisions(id)).toEqual([])
  })

  test('is required in each case before documents open and before a decision, and a password is not enough', async () => {
    const { id, documents, digest } = await annsCase()
    await expectRefusal(await openOne(id, documents[0].id), 'case_locked')
    await expectRefusal(await post(id, { decision: 'reject', reason: 'No', digest }), 'case_locked')
    const response = await unlockPlainly(id, rita)
    const token = response.headers.get(STEP_UP_HEADER)
    await expectRefusal(response, 'step_up_required')
    expect(await (await rita.browser.get(`/api/v1/step-ups/${token}`)).json()).toMatchObject({ proofs: ['code'] })
    await expectRefusal(await openOne(id, documents[0].id), 'case_locked')
    expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toEqual([])

    expect(await (await unlock(id)).json()).toMatchObject({ id, unlocked: true })
    for (const document of documents) expect((await openOne(id, document.id)).status).toBe(200)
    // A second unlock needs no new proof, but another case does.
    expect((await unlockPlainly(id, rita)).status).toBe(200)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const bobs = await annsCase(bob)
    await expectRefusal(await openOne(bobs.id, bobs.documents[0].id), 'case_locked')
    await expectRefusal(await openOne(id, documents[0].id, ravi), 'case_locked')
    expect((await post(id, { decision: 'approve', digest })).status).toBe(200)
  })

  test('is valid for its session for fifteen minutes', async () => {
    const { id, documents, digest } = await annsCase()
    await unlock(id)
    // The session must not end as idle during the fifteen minutes that the test's clock advances.
    server.deps.policy.idleMs = 60 * 60_000
    const elsewhere = { ...rita, browser: server.browser(await signInCookie(server.deps, rita.customer.id)) }
    await expectRefusal(await openOne(id, documents[0].id, elsewhere), 'case_locked')
    for (let minute = 0; minute < 14; minute += 2) {
      await server.clock.advance(2 * 60_000)
      expect((await openOne(id, documents[0].id)).status).toBe(200)
    }
    await server.clock.advance(60_000)
    await expectRefusal(await openOne(id, documents[0].id), 'case_locked')
    await expectRefusal(await post(id, { decision: 'reject', reason: 'No', digest }), 'case_locked')
  })
})

describe('a document', () => {
  test('opens for a reviewer, and each opening is recorded for the bank and the customer', async () => {
    const { id, documents } = await annsCase()
    const [passport] = documents
    await unlock(id)
    await unlock(id, ravi)
    const answer = await openOne(id, passport.id)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="passport.jpg"')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect((await answer.arrayBuffer()).byteLength).toBe(passport.size)
    await openOne(id, passport.id, ravi)
    expect(
      await rows(
        `SELECT reviewer_id, act, document_id, document_type FROM bank.kyc_review
          WHERE case_id = $1 AND act = 'open' ORDER BY id`,
        [id],
      ),
    ).toEqual(
      [rita, ravi].map(({ customer }) => ({
        reviewer_id: customer.id,
        act: 'open',
        document_id: passport.id,
        document_type: 'passport',
      })),
    )
    const at = server.clock.realNow().toISOString()
    const open = { id: expect.any(String), act: 'open', documentType: 'passport', reason: null, at }
    const unlocked = { id: expect.any(String), act: 'unlock', documentType: null, reason: null, at }
    const history = await ravi.browser.get(`/api/v1/review/cases/${id}/history`)
    expect(await history.json()).toEqual({
      acts: [
        { ...open, reviewer: 'Ravi Reviewer' },
        { ...open, reviewer: 'Rita Reviewer' },
        { ...unlocked, reviewer: 'Ravi Reviewer' },
        { ...unlocked, reviewer: 'Rita Reviewer' },
      ],
    })
    const { events } = await readNotifications()
    expect(events.slice(1)).toEqual(
      [rita, ravi].map(() => ({ kind: 'document_opened', device: { browser: null, system: null, by: 'review_desk' } })),
    )
    expect(JSON.stringify(events)).not.toContain('Rita')
  })

  test('opens for other reviewers while six unread responses of one reviewer are open', async () => {
    const { id, documents } = await annsCase()
    await unlock(id)
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const grainy = sharp({ create: { width: 2500, height: 2500, channels: 3, background: '#888', noise } })
    const people = await Promise.all(
      ['bob', 'cid'].map((name) => server.person({ fullName: name, email: `${name}${round}@example.com` })),
    )
    const [bob, cid] = people as [TestPerson, TestPerson]
    const requests: ClientRequest[] = []
    for (const { browser } of people) {
      const sent = await uploadTestDocument(server, browser, { body: toBody(await grainy.jpeg().toBuffer()) })
      expect(sent.status).toBe(200)
    }
    const [document] = (await kycOf(bob)).documents
    const [cids] = (await kycOf(cid)).documents
    const url = `${server.url}/api/v1/kyc/documents/${document?.id}`
    for (let reader = 0; reader < 6; reader += 1) {
      const request = get(url, { headers: { cookie: bob.browser.cookie() }, agent: false })
      request.on('error', () => undefined)
      requests.push(request)
    }
    // The first document has begun to arrive, and the client reads no further.
    await Promise.race(requests.map((request) => once(request, 'response')))
    expect((await cid.browser.get(`/api/v1/kyc/documents/${cids?.id}`)).status).toBe(200)
    expect((await openOne(id, documents[0].id)).status).toBe(200)
    for (const request of requests) request.destroy()
  })

  test('is found only by its own case', async () => {
    const { id, documents } = await annsCase()
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const bobs = await annsCase(bob)
    await unlock(id)
    await unlock(bobs.id)
    await expectRefusal(await openOne(bobs.id, documents[0].id), 'not_found')
    await expectRefusal(await openOne(randomUUID(), documents[0].id), 'not_found')
    for (const bad of ['x', '%00', "'", randomUUID()]) {
      await expectRefusal(await openOne(id, bad), 'not_found')
      await expectRefusal(await openOne(bad, documents[0].id), 'not_found')
      await expectRefusal(await post(bad, { decision: 'approve', digest: 'x' }), 'not_found')
      await expectRefusal(await unlock(bad), 'not_found')
      await expectRefusal(await rita.browser.get(`/api/v1/review/cases/${bad}/history`), 'not_found')
    }
    expect(await rows(`SELECT id FROM bank.kyc_review WHERE case_id = $1 AND act <> 'unlock'`, [id])).toEqual([])
  })
})

describe('a decision', () => {
  test('to approve lifts the limits and notifies the customer, but confirms no phone', async () => {
    const phone = `+4477009200${10 + round}`
    const bob = await server.person({
      fullName: 'Bob May',
      email: `bob${round}@example.com`,
      phone,
      unconfirmed: ['phone'],
    })
    const before = await auditTestBooks(server)
    const { id } = await annsCase(bob)
    const answer = await decide(id, { decision: 'approve' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id, status: 'approved', reason: null })
    expect(await kycOf(bob)).toMatchObject({ status: 'approved', reason: null })
    const now = server.clock.realNow()
    expect(await customerRow(bob)).toEqual({ verified_at: now, phone_confirmed_at: null })
    const { notices, mails, events } = await readNotifications(bob)
    expect(notices).toEqual([{ kind: 'kyc_approved', params: { reason: null } }])
    expect(mails.map(({ subject }) => subject)).toEqual(['Identity verified'])
    expect(mails[0]?.text).toContain('/kyc')
    const opened = Array.from({ length: 3 }, () => 'document_opened')
    expect(events.map(({ kind }) => kind)).toEqual(['kyc_submitted', ...opened, 'kyc_approved'])
    await expectRefusal(await uploadTestDocument(server, bob.browser), 'verification_closed')
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('to reject is final, and contains the reason', async () => {
    const { id } = await annsCase()
    const reason = 'The photo shows\nsomebody else. <b>Sorry</b>'
    expect((await decide(id, { decision: 'reject', reason })).status).toBe(200)
    expect(await kycOf()).toMatchObject({ status: 'rejected', reason })
    expect(await customerRow(ann)).toMatchObject({ verified_at: null })
    const { notices, mails, events } = await readNotifications()
    expect(notices).toEqual([{ kind: 'kyc_rejected', params: { reason } }])
    expect(mails[0]).toMatchObject({
      subject: 'Identity not verified',
      text: expect.stringContaining('“The photo shows somebody else. <b>Sorry</b>”'),
    })
    expect(events.at(-1)?.kind).toBe('kyc_rejected')
    await expectRefusal(await uploadTestDocument(server, ann.browser), 'verification_closed')
    await expectRefusal(await ann.browser.post('/api/v1/kyc/submission', {}), 'verification_closed')
    await expectRefusal(await decide(id, { decision: 'approve' }), 'verification_decided')
  })

  test('for a known reason is shown in the customer’s own language', async () => {
    const { id } = await annsCase()
    expect((await decide(id, { decision: 'again', reason: { code: 'expired' } })).status).toBe(200)
    expect(await kycOf()).toMatchObject({ status: 'again', reason: { code: 'expired' } })
    const { notices, mails } = await readNotifications()
    expect(notices).toEqual([{ kind: 'kyc_again', params: { reason: { code: 'expired' } } }])
    expect(mails[0]?.text).toContain('\n\nThe document has expired.\n\n')
  })

  test('to request documents again removes the old ones, and new ones are reviewed', async () => {
    const { id, documents } = await annsCase()
    expect((await decide(id, { decision: 'again', reason: 'Too dark' })).status).toBe(200)
    expect(await kycOf()).toMatchObject({ status: 'again', reason: 'Too dark', documents: [] })
    expect((await readNotifications()).mails[0]?.text).toContain('Upload Documents:')
    await expectRefusal(await openOne(id, documents[0].id), 'not_found')
    await expectRefusal(await ann.browser.post('/api/v1/kyc/submission', {}), 'verification_incomplete')
    await expectRefusal(await decide(id, { decision: 'approve' }), 'verification_decided')
    await server.clock.advance(1000)
    const next = await annsCase()
    expect(next).toMatchObject({ id, status: 'submitted', reason: null })
    expect((await decide(id, { decision: 'approve' })).status).toBe(200)
    expect(await decisions(id)).toEqual([
      { act: 'again', reason: 'Too dark' },
      { act: 'approve', reason: null },
    ])
  })

  test('applies to the documents that were shown, not to later ones', async () => {
    const { id } = await annsCase()
    const before = await lookAt(id, ravi)
    await decide(id, { decision: 'again', reason: 'Too dark' })
    await annsCase()
    const after = await lookAt(id, ravi)
    await expectRefusal(await post(id, { decision: 'approve', digest: before?.digest }, ravi), 'verification_changed')
    expect(await kycOf()).toMatchObject({ status: 'submitted' })
    expect((await post(id, { decision: 'approve', digest: after?.digest }, ravi)).status).toBe(200)
  })

  const OTHERS = {
    fullName: 'Anna Lee',
    dateOfBirth: '1990-03-01',
    address: '2 High Street',
    postcode: 'N1 1AB',
    phone: '+14155550199',
  }
  test.each(Object.entries(OTHERS))(
    'is refused if %s has changed meanwhile, and the case shows the change',
    async (field, value) => {
      const phone = `+1415555${2000 + round}`
      const details = { dateOfBirth: '1990-02-28', address: '1 High Street', postcode: 'N1 1AA' }
      const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com`, phone, ...details })
      const { id } = await annsCase(bob)
      const shownCase = await lookAt(id)
      const change = {
        full_name: 'fullName',
        date_of_birth: 'dateOfBirth',
        address: 'address',
        postcode: 'postcode',
        phone: 'phone',
      }
      const [column] = Object.entries(change).find(([, name]) => name === field) ?? []
      await owner.query(`UPDATE bank.customer SET ${column} = $2 WHERE id = $1`, [bob.customer.id, value])
      for (const decision of [{ decision: 'approve' }, { decision: 'reject', reason: 'No' }]) {
        await expectRefusal(await post(id, { ...decision, digest: shownCase?.digest }), 'verification_changed')
      }
      expect(await kycOf(bob)).toMatchObject({ status: 'submitted' })
      expect(await customerRow(bob)).toMatchObject({ verified_at: null })
      const now = (await (await rita.browser.get(`/api/v1/review/cases/${id}`)).json()) as ReviewCase
      expect(now).toMatchObject({ [field]: value })
      expect((await post(id, { decision: 'approve', digest: now.digest })).status).toBe(200)
    },
  )

  test('is refused or applies to the shown data, at any time of the customer’s change', async () => {
    for (let time = 0; time < 5; time += 1) {
      const person = await server.person({ fullName: 'Racing', email: `race${round}.${time}@example.com` })
      const { id } = await annsCase(person)
      const shownCase = await lookAt(id)
      const [decided, changed] = await Promise.all([
        post(id, { decision: 'approve', digest: shownCase?.digest }),
        person.browser.send('PATCH', '/api/v1/profile', JSON.stringify({ address: `${time} Other Street` })),
      ])
      expect(changed.status).toBe(200)
      if (decided.status !== 200) await expectRefusal(decided, 'verification_changed')
      expect((await kycOf(person)).status).toBe(decided.status === 200 ? 'approved' : 'submitted')
    }
  })

  test('to approve requires that every document was opened', async () => {
    const { id, documents } = await annsCase()
    await unlock(id)
    const { digest } = (await (await rita.browser.get(`/api/v1/review/cases/${id}`)).json()) as ReviewCase
    const approve = () => post(id, { decision: 'approve', digest })
    await expectRefusal(await approve(), 'documents_unseen')
    for (const document of documents) {
      await expectRefusal(await approve(), 'documents_unseen')
      await openOne(id, document.id)
    }
    expect((await approve()).status).toBe(200)
  })

  test.each(['reject', 'again'])('to %s needs a reason', async (decision) => {
    const { id } = await annsCase()
    await expectRefusal(await decide(id, { decision }), 'fields_missing', 'reason')
    expect(await kycOf()).toMatchObject({ status: 'submitted' })
  })

  test.each([
    [{}, 'decision'],
    [{ decision: 'accept' }, 'decision'],
    [{ decision: 'reject', reason: '  ' }, 'reason'],
    [{ decision: 'reject', reason: { code: 'dull' } }, 'reason'],
    [{ decision: 'reject', reason: 'x'.repeat(501) }, 'reason'],
    [{ decision: 'reject', reason: 'a\0b' }, 'reason'],
    [{ decision: 'approve', submittedAt: 'yesterday' }, 'submittedAt'],
    [{ decision: 'approve', digest: null }, 'digest'],
    [{ decision: 'approve', digest: undefined }, 'digest'],
    [{ decision: 'approve', digest: 'x'.repeat(101) }, 'digest'],
    [{ decision: 'approve', role: 'reviewer' }, 'role'],
    [{ decision: 'approve', customerId: randomUUID() }, 'customerId'],
  ])('with %j is refused', async (body, field) => {
    const { id } = await annsCase()
    await expectRefusal(await post(id, { digest: 'x', ...body }), 'request_invalid', field)
    expect(await kycOf()).toMatchObject({ status: 'submitted' })
  })

  test('waits for a closing or renaming of the customer, without a deadlock', async () => {
    const { id } = await annsCase()
    const shownCase = await lookAt(id)
    await owner.query('BEGIN')
    await owner.query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [ann.customer.id])
    const approve = post(id, { decision: 'approve', digest: shownCase?.digest })
    const [approval, submission] = [approve, ann.browser.post('/api/v1/kyc/submission', {})]
    const waiting = async () =>
      (
        await rows(`SELECT count(*) AS waiting FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      )[0].waiting
    // Deferred writes of an earlier request may also wait for the lock.
    await expect.poll(waiting).toBeGreaterThanOrEqual(2)
    await owner.query('SELECT FROM bank.kyc_case WHERE id = $1 FOR UPDATE NOWAIT', [id])
    await owner.query('COMMIT')
    await expectRefusal(await approval, 'verification_decided')
    await expectRefusal(await submission, 'sign_in_required')
  })

  test('by two simultaneous reviewers is made once', async () => {
    for (let time = 0; time < 5; time += 1) {
      const person = await server.person({ fullName: 'Both', email: `both${round}.${time}@example.com` })
      const { id } = await annsCase(person)
      const digest = (await lookAt(id))?.digest
      await lookAt(id, ravi)
      const answers = await Promise.all([
        post(id, { decision: 'approve', digest }),
        post(id, { decision: 'reject', reason: 'No', digest }, ravi),
        post(id, { decision: 'again', reason: 'No', digest }, ravi),
        post(id, { decision: 'approve', digest }, ravi),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status === 409))
        await expectRefusal(answer, 'verification_decided')
      expect((await readNotifications(person)).notices).toHaveLength(1)
      expect(await decisions(id)).toHaveLength(1)
    }
  })

  test('that is repeated with its key gets the same response, and its key refuses another decision', async () => {
    const { id } = await annsCase()
    const digest = (await lookAt(id))?.digest
    await lookAt(id, ravi)
    const key = randomUUID()
    const send = (body: object, person = rita) =>
      person.browser.post(`/api/v1/review/cases/${id}/decisions`, { digest, ...body }, { key })
    expect((await send({ decision: 'approve' })).status).toBe(200)
    expect((await send({ decision: 'approve' })).status).toBe(200)
    await expectRefusal(await send({ decision: 'reject', reason: 'No' }), 'idempotency_key_reused')
    await expectRefusal(await send({ decision: 'approve' }, ravi), 'idempotency_key_reused')
    expect(await decisions(id)).toHaveLength(1)
    const withoutKey = rita.browser.post(
      `/api/v1/review/cases/${id}/decisions`,
      { digest, decision: 'approve' },
      { key: null },
    )
    await expectRefusal(await withoutKey, 'idempotency_key_missing')
  })

  test('is refused on the reviewer’s own case', async () => {
    const rob = await reviewer({ fullName: 'Rob Own', email: `rob${round}@example.com` })
    const { id, documents } = await annsCase(rob)
    expect((await queue(rob)).find((kycCase) => kycCase.id === id)).toMatchObject({ own: true })
    await expectRefusal(await openOne(id, documents[0].id, rob), 'verification_own')
    await expectRefusal(await decide(id, { decision: 'approve' }, rob), 'verification_own')
    await expectRefusal(await decide(id, { decision: 'reject' }, rob), 'verification_own')
    await expectRefusal(await unlock(id, rob), 'verification_own')
    await expectRefusal(await rob.browser.get(`/api/v1/review/cases/${id}/history`), 'verification_own')
    expect(await kycOf(rob)).toMatchObject({ status: 'submitted' })
    expect(await rows('SELECT id FROM bank.kyc_review WHERE case_id = $1', [id])).toEqual([])
    expect((await decide(id, { decision: 'approve' })).status).toBe(200)
  })

  test('is not mailed to an address that may belong to another person', async () => {
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const { id } = await annsCase(bob)
    // This is the state of a case from before the email had to be confirmed first.
    await rows('UPDATE bank.customer SET email_confirmed_at = NULL WHERE id = $1', [bob.customer.id])
    await decide(id, { decision: 'approve' })
    const { notices, mails } = await readNotifications(bob)
    expect(notices).toHaveLength(1)
    expect(mails).toEqual([])
  })
})

describe('a change of name or date of birth', () => {
  const change = (body: object) => ann.browser.send('PATCH', '/api/v1/profile', JSON.stringify(body))

  test('makes the customer verify again, and limits them until then', async () => {
    await change({ dateOfBirth: '1990-02-28' })
    await decide((await annsCase()).id, { decision: 'approve' })
    expect(await customerRow(ann)).toMatchObject({ verified_at: expect.any(Date) })
    for (const body of [{ fullName: 'Anna Lee' }, { dateOfBirth: '1990-03-01' }]) {
      expect((await change(body)).status).toBe(200)
      expect(await kycOf()).toMatchObject({
        status: 'again',
        documents: [],
        reason: { code: 'details_changed' },
      })
      expect(await customerRow(ann)).toMatchObject({ verified_at: null })
      expect((await readNotifications()).notices.at(-1)).toMatchObject({ kind: 'kyc_again' })
      await decide((await annsCase()).id, { decision: 'approve' })
    }
  })

  test('is shown in a waiting case, and does not change a rejected one', async () => {
    const { id } = await annsCase()
    const before = await lookAt(id)
    await change({ fullName: 'Anna Lee' })
    await expectRefusal(await post(id, { decision: 'approve', digest: before?.digest }), 'verification_changed')
    expect((await queue()).find((waiting) => waiting.id === id)).toMatchObject({
      fullName: 'Anna Lee',
      status: 'submitted',
    })
    await decide(id, { decision: 'reject', reason: 'No' })
    await change({ fullName: 'Ann Lee' })
    expect((await kycOf()).status).toBe('rejected')
  })

  test('does not include a first date of birth, an address or the same name', async () => {
    await decide((await annsCase()).id, { decision: 'approve' })
    await change({ dateOfBirth: '1990-02-28', address: '1 High Street', fullName: ' Ann Lee ' })
    expect((await kycOf()).status).toBe('approved')
    expect(await customerRow(ann)).toMatchObject({ verified_at: expect.any(Date) })
  })
})
