import { connect } from 'node:net'
import { Client } from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import type { Kyc, KycDocument } from '#contract/kyc.ts'
import { specimenOf } from '#server/kyc/documents/specimen.ts'
import { policyFor } from '#server/bank/policy.ts'
import { seal } from '#server/platform/secrets/sealed.ts'
import { mailsTo } from '#server/test/mails.ts'
import { submitAllDocuments, toBody, uploadTestDocument, type Upload } from '#server/test/documents.ts'
import { hugePng, jpegFile, largeJpeg, pdfFile, pdfWithPages, photoFile, pngFile } from '#server/test/files.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  // A bank that accepts files and leaves them to a reviewer, as a live bank does.
  server = await peopleServer()
  server.deps.policy.kyc = { specimens: false, approvedAtOnce: false }
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
})

const send = (upload: Upload = {}, person: TestPerson = ann) => uploadTestDocument(server, person.browser, upload)
const readDocument = (id: string, person: TestPerson = ann) => person.browser.get(`/api/v1/kyc/documents/${id}`)
const submit = (person: TestPerson = ann) => person.browser.post('/api/v1/kyc/submission', {})
const kycOf = async (person: TestPerson = ann) => (await (await person.browser.get('/api/v1/kyc')).json()) as Kyc
const rows = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows

/** Runs SQL as the database's owner, which may change rows that the serving role may not. */
async function owner(text: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: server.database.ownerUrl })
  await client.connect()
  await client.query(text, values)
  await client.end()
}

/** Uploads a document and returns the bank's record of it. */
async function sendDocument(upload: Upload = {}): Promise<KycDocument> {
  const answer = await send(upload)
  expect(answer.status).toBe(200)
  const { documents } = (await answer.json()) as Kyc
  const document = documents.find(({ step }) => step === (upload.step ?? 'id'))
  if (!document) throw new Error('The document is not listed')
  return document
}

/** Returns the documents that the bank has of Ann. */
const readDocuments = () => rows('SELECT id FROM bank.kyc_document WHERE customer_id = $1', [ann.customer.id])

describe('uploading', () => {
  test('a customer begins without documents, and keeps the latest document of each step', async () => {
    expect(await kycOf()).toEqual({ status: 'required', reason: null, documents: [], specimens: false })
    const first = await sendDocument()
    expect(first).toEqual({
      id: expect.any(String),
      step: 'id',
      type: 'passport',
      size: expect.any(Number),
      uploadedAt: server.clock.realNow().toISOString(),
    })
    await sendDocument({
      step: 'address',
      type: 'bank_statement',
      declared: 'application/pdf',
      body: toBody(pdfFile()),
    })
    await sendDocument({
      step: 'selfie',
      type: 'selfie',
      declared: 'image/png; charset=binary',
      body: toBody(await pngFile()),
    })
    const second = await sendDocument({ type: 'national_id' })
    const { status, documents } = await kycOf()
    expect(status).toBe('required')
    expect(documents.map(({ step, type }) => [step, type])).toEqual([
      ['id', 'national_id'],
      ['selfie', 'selfie'],
      ['address', 'bank_statement'],
    ])
    expect(second.id).not.toBe(first.id)
    await expectRefusal(await readDocument(first.id), 'not_found')
    expect((await readDocument(second.id)).status).toBe(200)
  })

  test('a repeated upload is harmless, also in simultaneous requests', async () => {
    const body = toBody(await jpegFile())
    const answers = await Promise.all(Array.from({ length: 8 }, () => send({ body })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await kycOf()).documents).toHaveLength(1)
  })

  test('an upload works without a Content-Length', async () => {
    const jpeg = await jpegFile()
    const body = new ReadableStream({
      start: (controller) => {
        for (let start = 0; start < jpeg.length; start += 700)
          controller.enqueue(new Uint8Array(jpeg.subarray(start, start + 700)))
        controller.close()
      },
    })
    expect(await sendDocument({ body })).toMatchObject({ type: 'passport' })
  })

  test('a file of exactly 10 MB is accepted', async () => {
    const body = await largeJpeg(MAX_DOCUMENT_BYTES)
    expect(body).toHaveLength(MAX_DOCUMENT_BYTES)
    expect((await send({ body: toBody(body) })).status).toBe(200)
  })

  test('a file with a byte more is refused, with or without a Content-Length, and the client gets the refusal', async () => {
    const body = Buffer.alloc(MAX_DOCUMENT_BYTES + 1, 0xff)
    await expectRefusal(await send({ body: toBody(body) }), 'document_too_large')
    const parts = new ReadableStream({
      start: (controller) => {
        for (let start = 0; start < body.length; start += 1 << 20)
          controller.enqueue(new Uint8Array(body.subarray(start, start + (1 << 20))))
        controller.close()
      },
    })
    await expectRefusal(await send({ body: parts }), 'document_too_large')
    await expectRefusal(await send({ body: toBody(Buffer.alloc(11 * 1024 * 1024)) }), 'document_too_large')
    expect(await readDocuments()).toEqual([])
  })

  test('a much larger file is refused before it is sent', async () => {
    const { port } = new URL(server.url)
    const head = [
      'PUT /api/v1/kyc/steps/id/document?type=passport HTTP/1.1',
      `Host: localhost:${port}`,
      `Origin: ${server.url}`,
      `Cookie: ${ann.browser.cookie()}`,
      'Content-Type: image/jpeg',
      'Content-Length: 1000000000',
    ]
    const socket = connect(Number(port), 'localhost')
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const { promise: answered, resolve } = Promise.withResolvers<string>()
    socket.once('data', (part: Buffer) => resolve(String(part)))
    expect(await answered).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  test('an interrupted upload leaves no data, and the next attempt succeeds', async () => {
    const { port } = new URL(server.url)
    const head = [
      'PUT /api/v1/kyc/steps/id/document?type=passport HTTP/1.1',
      `Host: localhost:${port}`,
      `Origin: ${server.url}`,
      `Cookie: ${ann.browser.cookie()}`,
      'Content-Type: image/jpeg',
      'Content-Length: 100000',
    ]
    const socket = connect(Number(port), 'localhost')
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write((await jpegFile()).subarray(0, 1000), () => socket.destroy())
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    socket.once('close', () => resolve())
    await closed
    expect((await kycOf()).documents).toEqual([])
    await sendDocument()
  })

  test.each<[string, ErrorCode, string | undefined, () => Upload | Promise<Upload>]>([
    ['text', 'document_kind_refused', undefined, () => ({ declared: 'text/plain' })],
    ['a form', 'document_kind_refused', undefined, () => ({ declared: 'multipart/form-data; boundary=x' })],
    ['a form of fields', 'document_kind_refused', undefined, () => ({ declared: 'application/x-www-form-urlencoded' })],
    ['JSON', 'document_kind_refused', undefined, () => ({ declared: 'application/json', body: '{}' })],
    ['a file without a type', 'document_kind_refused', undefined, () => ({ declared: null })],
    ['SVG', 'document_kind_refused', undefined, () => ({ declared: 'image/svg+xml', body: '<svg/>' })],
    ['HTML named as a photo', 'document_kind_refused', undefined, () => ({ body: '<html><script>1</script>' })],
    ['SVG named as a photo', 'document_kind_refused', undefined, () => ({ body: '<svg onload="x"/>' })],
    ['nothing', 'document_kind_refused', undefined, () => ({ body: '' })],
    ['a PNG named as a JPEG', 'document_kind_refused', undefined, async () => ({ body: toBody(await pngFile()) })],
    [
      'a picture of 30,000 by 30,000',
      'document_unreadable',
      undefined,
      () => ({ declared: 'image/png', body: toBody(hugePng(30_000)) }),
    ],
    [
      'a truncated photo',
      'document_unreadable',
      undefined,
      async () => ({ body: toBody((await jpegFile()).subarray(0, 900)) }),
    ],
    [
      'a PDF with too many pages',
      'document_too_long',
      undefined,
      () => ({
        declared: 'application/pdf',
        body: toBody(pdfWithPages({ pages: Array.from({ length: 11 }, () => '') })),
      }),
    ],
    [
      'an invalid PDF',
      'document_unreadable',
      undefined,
      () => ({ declared: 'application/pdf', body: toBody(Buffer.from('%PDF-1.7\n%%EOF')) }),
    ],
    [
      'a PDF of a face',
      'photo_kind_refused',
      undefined,
      () => ({ step: 'selfie', type: 'selfie', declared: 'application/pdf', body: toBody(pdfFile()) }),
    ],
    ['an unknown step', 'request_invalid', 'step', () => ({ step: 'ear' })],
    ['a step that is a path', 'request_invalid', 'step', () => ({ step: encodeURIComponent('../../id') })],
    ['an unknown type', 'request_invalid', 'type', () => ({ type: 'library_card' })],
    ['a type of another step', 'request_invalid', 'type', () => ({ type: 'selfie' })],
    ['an unknown query parameter', 'request_invalid', 'status', () => ({ type: 'passport&status=approved' })],
  ])('%s is refused', async (_, code, field, make) => {
    await expectRefusal(await send(await make()), code, field)
    expect(await readDocuments()).toEqual([])
  })

  test('uploads need a session and this site’s origin', async () => {
    const anybody = await uploadTestDocument(server, server.browser())
    await expectRefusal(anybody, 'sign_in_required')
    await expectRefusal(await send({ headers: { origin: 'https://evil.example' } }), 'origin_refused')
    await expectRefusal(await send({ headers: { 'sec-fetch-site': 'cross-site' } }), 'origin_refused')
    expect(await readDocuments()).toEqual([])
  })

  test('more than a hundred uploads per hour are refused', async () => {
    const person = await server.person({ fullName: 'Many', email: 'many@example.com' })
    const body = () => ({ declared: 'image/jpeg', body: 'no' })
    const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await send(body(), person)).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    const refused = await send(body(), person)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    await expectRefusal(refused, 'too_many_requests')
    expect((await send()).status).toBe(200)
  })
})

describe('downloading', () => {
  test('the owner gets the document without metadata, in a form that browsers do not execute', async () => {
    const { id, size } = await sendDocument({ body: toBody(await photoFile(6)) })
    const answer = await readDocument(id)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="passport.jpg"',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-length': String(size),
    })
    const content = Buffer.from(await answer.arrayBuffer())
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 300 })
    expect(content.includes('Pocketphone')).toBe(false)
  })

  test('a PDF is returned as a picture of it', async () => {
    const pdf = toBody(pdfFile('<< /S /JavaScript /JS (evil) >>'))
    const { id } = await sendDocument({ step: 'address', type: 'utility_bill', declared: 'application/pdf', body: pdf })
    const answer = await readDocument(id)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="utility_bill.jpg"')
    const content = Buffer.from(await answer.arrayBuffer())
    expect((await sharp(content).metadata()).format).toBe('jpeg')
    expect(content.includes('evil')).toBe(false)
  })

  test('a PDF stored by an earlier version opens as a picture, and is stored as one from then on', async () => {
    const { id, uploadedAt } = await sendDocument({ step: 'address', type: 'utility_bill' })
    const name = { kind: 'identity document', owner: `${id} ${ann.customer.id}` }
    const sealed = seal(server.deps.config, name, pdfFile())
    await owner(`UPDATE bank.kyc_document SET media_type = 'application/pdf', content = $2 WHERE id = $1`, [id, sealed])
    const contents = await Promise.all(
      Array.from({ length: 3 }, async () => Buffer.from(await (await readDocument(id)).arrayBuffer())),
    )
    for (const content of contents) expect((await sharp(content).metadata()).format).toBe('jpeg')
    expect(await rows('SELECT media_type FROM bank.kyc_document WHERE id = $1', [id])).toEqual([
      { media_type: 'image/jpeg' },
    ])
    expect((await kycOf()).documents).toMatchObject([{ id, step: 'address', type: 'utility_bill', uploadedAt }])
    expect((await readDocument(id)).status).toBe(200)
  })

  test('a document belongs to its customer only, and an invalid id is not found', async () => {
    const { id } = await sendDocument()
    await expectRefusal(await readDocument(id, bob), 'not_found')
    await expectRefusal(await server.browser().get(`/api/v1/kyc/documents/${id}`), 'sign_in_required')
    for (const bad of ['x', `${id}0`, id.toUpperCase(), '%00', "'", encodeURIComponent('../../kyc')]) {
      await expectRefusal(await readDocument(bad), 'not_found')
    }
    await expectRefusal(await ann.browser.get(`/api/v1/review/cases/${id}/documents/${id}`), 'not_found')
  })

  test('many simultaneous downloads are served one by one', async () => {
    const { id, size } = await sendDocument()
    const answers = await Promise.all(Array.from({ length: 30 }, async () => (await readDocument(id)).arrayBuffer()))
    expect(new Set(answers.map((content) => content.byteLength))).toEqual(new Set([size]))
  })
})

describe('at rest', () => {
  test('the database holds only ciphertext, different each time', async () => {
    const pdf = pdfFile('<< /Title (Gas for Ann Lee) >>')
    const document = { step: 'address', type: 'utility_bill', declared: 'application/pdf', body: toBody(pdf) }
    const contents: Buffer[] = []
    for (let time = 0; time < 2; time += 1) {
      const { id } = await sendDocument(document)
      const [row] = await rows('SELECT content FROM bank.kyc_document WHERE id = $1', [id])
      contents.push(row.content)
    }
    const [firstContent, secondContent] = contents as [Buffer, Buffer]
    for (const word of ['%PDF', 'Gas for Ann', 'endobj', 'JFIF']) expect(firstContent.includes(word)).toBe(false)
    expect(firstContent.subarray(0, 12).equals(secondContent.subarray(0, 12))).toBe(false)
    expect(firstContent.subarray(12, 40).equals(secondContent.subarray(12, 40))).toBe(false)
  })

  test('a changed byte, a row moved to another customer and a row with another id do not decrypt', async () => {
    const changed = await sendDocument()
    await owner(
      'UPDATE bank.kyc_document SET content = set_byte(content, 40, get_byte(content, 40) # 1) WHERE id = $1',
      [changed.id],
    )
    await expectRefusal(await readDocument(changed.id), 'unexpected')

    const moved = await sendDocument({ step: 'address', type: 'utility_bill' })
    await owner('UPDATE bank.kyc_document SET customer_id = $2 WHERE id = $1', [moved.id, bob.customer.id])
    await expectRefusal(await readDocument(moved.id, bob), 'unexpected')

    const renamed = await sendDocument({ step: 'selfie', type: 'selfie' })
    const id = crypto.randomUUID()
    await owner('UPDATE bank.kyc_document SET id = $2 WHERE id = $1', [renamed.id, id])
    await expectRefusal(await readDocument(id), 'unexpected')
  })

  test('the serving role can change neither documents nor the record of reviews', async () => {
    for (const statement of [
      'UPDATE bank.kyc_document SET content = content',
      'UPDATE bank.kyc_document SET customer_id = customer_id',
      'UPDATE bank.kyc_review SET reason = NULL',
      'DELETE FROM bank.kyc_review',
      'DELETE FROM bank.kyc_case',
      "UPDATE bank.customer SET role = 'reviewer'",
      `INSERT INTO bank.customer (id, full_name, email, current_account_id, created_at, role)
       VALUES (gen_random_uuid(), 'x', 'x@example.com', 1, now(), 'reviewer')`,
    ]) {
      await expect(rows(statement)).rejects.toThrow('permission denied')
    }
  })
})

describe('submitting', () => {
  test('needs all three documents', async () => {
    await expectRefusal(await submit(), 'verification_incomplete')
    await sendDocument()
    await sendDocument({ step: 'selfie', type: 'selfie' })
    await expectRefusal(await submit(), 'verification_incomplete')
    expect(await kycOf()).toMatchObject({ status: 'required' })
  })

  test('adds one case to the review queue, and the documents stay unchanged', async () => {
    const before = await auditTestBooks(server)
    const { status, documents } = await submitAllDocuments(server, ann.browser)
    expect(status).toBe('submitted')
    expect((await (await submit()).json()) as Kyc).toMatchObject({ status: 'submitted' })
    await expectRefusal(await send(), 'verification_closed')
    expect((await kycOf()).documents).toEqual(documents)
    const events = await rows('SELECT kind FROM bank.security_event WHERE customer_id = $1', [ann.customer.id])
    expect(events).toEqual([{ kind: 'kyc_submitted' }])
    expect(await rows('SELECT verified_at FROM bank.customer WHERE id = $1', [ann.customer.id])).toEqual([
      { verified_at: null },
    ])
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('locks the documents against simultaneous changes', async () => {
    for (const [step, type] of [
      ['id', 'passport'],
      ['selfie', 'selfie'],
      ['address', 'utility_bill'],
    ] as const)
      await sendDocument({ step, type })
    const [handed] = await Promise.all([submit(), ...Array.from({ length: 5 }, () => send())])
    const { documents } = (await handed.json()) as Kyc
    expect((await kycOf()).status).toBe('submitted')
    // Every listed document opens, so none was replaced without a change in the list.
    for (const { id } of (await kycOf()).documents) expect((await readDocument(id)).status).toBe(200)
    expect(documents).toHaveLength(3)
  })

  test('waits until the email is confirmed, so that made-up addresses cannot fill the reviewers’ queue', async () => {
    const eve = await server.person({ fullName: 'Eve Low', email: `eve${round}@example.com`, unconfirmed: ['email'] })
    await submitAllDocuments(server, eve.browser)
    await expectRefusal(await submit(eve), 'email_unconfirmed')
    expect(await kycOf(eve)).toMatchObject({ status: 'required', documents: { length: 3 } })
    expect(await rows('SELECT kind FROM bank.security_event WHERE customer_id = $1', [eve.customer.id])).toEqual([])
    await rows('UPDATE bank.customer SET email_confirmed_at = now() WHERE id = $1', [eve.customer.id])
    expect((await (await submit(eve)).json()) as Kyc).toMatchObject({ status: 'submitted' })
  })

  test.each(['{"status":"approved"}', '{"kycStatus":"approved"}', '[]', 'null'])('refuses %s', async (text) => {
    const answer = await ann.browser.send('POST', '/api/v1/kyc/submission', text)
    expect(answer.status).toBe(400)
    expect(await kycOf()).toMatchObject({ status: 'required' })
  })

  test('needs no body', async () => {
    await expectRefusal(await ann.browser.post('/api/v1/kyc/submission'), 'verification_incomplete')
  })
})

describe('specimens', () => {
  const specimen = (step: string, body: unknown) => ann.browser.post(`/api/v1/kyc/specimens/${step}`, body)

  test('do not exist if real documents are required', async () => {
    await expectRefusal(await specimen('id', { type: 'passport' }), 'not_found')
  })

  test('in a sample bank one click uploads one, and all three are approved at once', async () => {
    const before = await auditTestBooks(server)
    server.deps.policy.kyc = policyFor({ mode: 'sample' }).kyc
    for (const [step, type] of [
      ['id', 'drivers_license'],
      ['selfie', 'selfie'],
      ['address', 'utility_bill'],
    ] as const) {
      expect((await specimen(step, { type })).status).toBe(200)
    }
    const { status, documents, specimens } = (await (await submit()).json()) as Kyc
    expect({ status, specimens }).toEqual({ status: 'approved', specimens: true })
    for (const { id } of documents) {
      const content = Buffer.from(await (await readDocument(id)).arrayBuffer())
      expect((await sharp(content).metadata()).width).toBeGreaterThan(800)
    }
    expect((await (await submit()).json()) as Kyc).toMatchObject({ status: 'approved' })
    await expectRefusal(await specimen('id', { type: 'passport' }), 'verification_closed')
    const [notice] = await rows('SELECT kind FROM bank.notification WHERE customer_id = $1', [ann.customer.id])
    expect(notice).toEqual({ kind: 'kyc_approved' })
    const mails = await mailsTo(server.deps, ann.customer.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Identity verified'])
    expect(await rows('SELECT reviewer_id, act FROM bank.kyc_review ORDER BY id DESC LIMIT 1')).toEqual([
      { reviewer_id: null, act: 'approve' },
    ])
    expect(await auditTestBooks(server)).toEqual(before)
    server.deps.policy.kyc = { specimens: false, approvedAtOnce: false }
  })

  test('exist for any name', async () => {
    // Some customers got their names before the bank checked names.
    for (const fullName of ['<b>Tom & "Jerry"</b>', '李小龍', 'x'.repeat(120), '\u202eleft', '😀']) {
      const drawn = await specimenOf({ ...ann.customer, fullName }, { step: 'id', type: 'national_id' })
      expect((await sharp(drawn).metadata()).format).toBe('jpeg')
    }
  })

  test.each([{}, { type: 'selfie' }, { type: 'x' }, { type: 'passport', status: 'approved' }])(
    'are refused for %j',
    async (body) => {
      server.deps.policy.kyc = policyFor({ mode: 'sample' }).kyc
      const answer = await specimen('id', body)
      server.deps.policy.kyc = { specimens: false, approvedAtOnce: false }
      await expectRefusal(answer, 'request_invalid', Object.hasOwn(body, 'status') ? 'status' : 'type')
      expect(await readDocuments()).toEqual([])
    },
  )
})
