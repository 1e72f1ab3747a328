import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { MAX_PHOTOS } from '#server/accounts/annotations/photos.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { putFile, type SentFile, toBody } from '#server/test/documents.ts'
import { hugePng, jpegFile, largeJpeg, pdfFile, photoFile, pngFile } from '#server/test/files.ts'
import { runAsOwner } from '#server/test/database.ts'
import { expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { sendWithProof } from '#server/test/step-up.ts'

/** Customers' private annotations of transactions: a note and the picture of a receipt. */

const PASSWORD = 'garden-lamp-42'
let server: PeopleServer
let passwordHash: string
let ann: TestPerson
let bob: TestPerson
let round = 0
/** Ann's transactions. The newer one is a payment to Bob, who has it under the same id. */
let payment: Transaction
let topUp: Transaction

beforeAll(async () => {
  server = await peopleServer()
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  await ann.fund(50_00)
  const transferRequest = { recipient: `bob${round}@example.com`, amountMinor: 50_00, asset: 'USD' }
  expect((await ann.browser.post('/api/v1/transfers', transferRequest)).status).toBe(200)
  const [newer, older] = await ann.transactions()
  if (!newer || !older) throw new Error('There are no two transactions')
  payment = newer
  topUp = older
})

const pathOf = (id: string, part: string) => `/api/v1/transactions/${id}${part}`
const detail = async (person: TestPerson, id = payment.id) =>
  (await (await person.browser.get(pathOf(id, ''))).json()) as TransactionDetail
const write = (note: unknown, person = ann, id = payment.id) =>
  person.browser.send('PUT', pathOf(id, '/note'), JSON.stringify({ note }))
const search = async (person: TestPerson, q: string) =>
  (await person.transactions(`?q=${encodeURIComponent(q)}`)).map(({ id }) => id)
const send = (file: SentFile = {}, person = ann, id = payment.id) =>
  putFile(server, person.browser, pathOf(id, '/photo'), file)
const look = (person = ann, id = payment.id) => person.browser.get(pathOf(id, '/photo'))
const rows = async (text: string, values: unknown[] = []) => (await server.deps.pool.query(text, values)).rows
const exported = async (person: TestPerson) => {
  const answer = await sendWithProof(person.browser, ['GET', '/api/v1/profile/export'], { password: PASSWORD })
  return JSON.parse(await answer.text())
}

describe('a private note', () => {
  test('is written, changed and removed, and is never visible to the other party', async () => {
    expect(await detail(ann)).toMatchObject({ privateNote: null, photo: null })
    expect((await write('  Reclaim this from work ')).status).toBe(204)
    expect(await detail(ann)).toMatchObject({ privateNote: 'Reclaim this from work', note: null })
    expect(await detail(bob)).toMatchObject({ privateNote: null, note: null })
    expect((await write("Bob's own", bob)).status).toBe(204)
    expect((await write('Done')).status).toBe(204)
    expect([await detail(ann), await detail(bob)]).toMatchObject([
      { privateNote: 'Done' },
      { privateNote: "Bob's own" },
    ])
    for (const nothing of [null, '', '   ']) {
      await write('x')
      expect((await write(nothing)).status).toBe(204)
      expect(await detail(ann)).toMatchObject({ privateNote: null })
    }
  })

  test('is found and counted in the list, in any spelling, and only by its author', async () => {
    await write('Ärger mit der Küche, 50% "off"', ann, topUp.id)
    for (const q of ['ARGER', 'kuche', 'küche,  50%', '"off"']) expect(await search(ann, q), q).toEqual([topUp.id])
    // Characters with a meaning in SQL patterns are searched literally.
    for (const q of ['kuchen', '5_%', '_uche', 'a%k']) expect(await search(ann, q), q).toEqual([])
    expect(await search(ann, '%')).toEqual([topUp.id])
    expect(await search(bob, 'kuche')).toEqual([])
    const count = await (await ann.browser.get('/api/v1/transactions/count?q=kuche')).json()
    expect(count).toMatchObject({ count: 1, sums: { inMinor: 50_00, outMinor: 0 } })
    // A search by name still works, and filters also apply to transactions found by a note.
    await write('bob', ann, topUp.id)
    expect(await search(ann, 'bob')).toEqual([payment.id, topUp.id])
    expect((await ann.transactions('?q=bob&category=top_up')).map(({ id }) => id)).toEqual([topUp.id])
  })

  test('is refused if it is too long, is not text, or belongs to another customer’s transaction', async () => {
    expect((await write('x'.repeat(300))).status).toBe(204)
    for (const note of ['x'.repeat(301), 5, true, ['x'], { a: 1 }, undefined, 'a\0b', 'half \ud800'])
      await expectRefusal(await write(note), 'request_invalid', 'note')
    await expectRefusal(
      await ann.browser.send(
        'PUT',
        pathOf(payment.id, '/note'),
        JSON.stringify({ note: 'x', customerId: bob.customer.id }),
      ),
      'request_invalid',
      'customerId',
    )
    await expectRefusal(await write('x', bob, topUp.id), 'transaction_not_found')
    for (const id of [randomUUID(), 'none', `${payment.id}.7`, '..%2F..%2Fme'])
      await expectRefusal(await write('x', ann, id), 'transaction_not_found')
    expect(await detail(ann)).toMatchObject({ privateNote: 'x'.repeat(300) })
  })

  test('is the last of many simultaneous ones, and is stored once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => write(`Note ${index}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204))
    expect((await detail(ann)).privateNote).toMatch(/^Note \d$/)
    const notes = await rows('SELECT note FROM bank.private_note WHERE customer_id = $1', [ann.customer.id])
    expect(notes).toHaveLength(1)
  })
})

describe('the picture of a receipt', () => {
  test('is stored as the bank’s own JPEG, encrypted, and visible to its customer only', async () => {
    const photo = await photoFile(6)
    expect((await send({ body: toBody(photo) })).status).toBe(204)
    expect((await detail(ann)).photo).toEqual({ id: expect.any(String), addedAt: expect.any(String) })
    expect(await detail(bob)).toMatchObject({ photo: null })
    const answer = await look()
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="receipt.jpg"',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const picture = Buffer.from(await answer.arrayBuffer())
    // The picture is upright and without the metadata that a phone adds.
    const { format, width, height, exif } = await sharp(picture).metadata()
    expect([format, width, height, exif]).toEqual(['jpeg', 200, 300, undefined])
    const [storedPhoto] = await rows('SELECT content, size_bytes FROM bank.receipt_photo WHERE customer_id = $1', [
      ann.customer.id,
    ])
    expect(storedPhoto.size_bytes).toBe(picture.length)
    expect(storedPhoto.content.includes(picture.subarray(0, 64))).toBe(false)
    await expectRefusal(await look(bob), 'not_found')
  })

  test('is replaced by another, and removed', async () => {
    await send()
    const first = (await detail(ann)).photo
    expect((await send({ body: toBody(pdfFile()), declared: 'application/pdf' })).status).toBe(204)
    expect((await send({ body: toBody(await pngFile()), declared: 'image/png' })).status).toBe(204)
    const second = (await detail(ann)).photo
    expect(second?.id).not.toBe(first?.id)
    expect(await rows('SELECT FROM bank.receipt_photo WHERE customer_id = $1', [ann.customer.id])).toHaveLength(1)
    for (let time = 0; time < 2; time += 1) {
      expect((await ann.browser.send('DELETE', pathOf(payment.id, '/photo'))).status).toBe(204)
      expect(await detail(ann)).toMatchObject({ photo: null })
      await expectRefusal(await look(), 'not_found')
    }
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const cases: [string, ErrorCode, () => SentFile | Promise<SentFile>][] = [
    ['an SVG', 'document_kind_refused', () => ({ body: svg, declared: 'image/svg+xml' })],
    ['an SVG declared as a JPEG', 'document_kind_refused', () => ({ body: svg })],
    ['HTML as a PNG', 'document_kind_refused', () => ({ body: '<!doctype html>', declared: 'image/png' })],
    ['nothing', 'document_kind_refused', () => ({ body: '' })],
    ['a file of an unknown type', 'document_kind_refused', async () => ({ declared: null })],
    ['a PNG as a JPEG', 'document_kind_refused', async () => ({ body: toBody(await pngFile()) })],
    ['JSON', 'document_kind_refused', () => ({ body: '{}', declared: 'application/json' })],
    ['a truncated JPEG', 'document_unreadable', async () => ({ body: toBody((await jpegFile()).subarray(0, 40)) })],
    [
      'a picture too large to decode',
      'document_unreadable',
      () => ({ body: toBody(hugePng(30_000)), declared: 'image/png' }),
    ],
    [
      'a file that is too large',
      'document_too_large',
      async () => ({ body: toBody(await largeJpeg(MAX_DOCUMENT_BYTES + 1)) }),
    ],
  ]
  test.each(cases)('is refused if it is %s, and the stored picture stays', async (_, code, picture) => {
    await send()
    const before = (await detail(ann)).photo
    await expectRefusal(await send(await picture()), code)
    expect((await detail(ann)).photo).toEqual(before)
  })

  test('can be added only to the customer’s own transaction', async () => {
    await expectRefusal(await send({}, bob, topUp.id), 'transaction_not_found')
    for (const id of [randomUUID(), 'none']) await expectRefusal(await send({}, ann, id), 'transaction_not_found')
    await expectRefusal(await ann.browser.send('DELETE', pathOf(randomUUID(), '/photo')), 'transaction_not_found')
    expect(await rows('SELECT FROM bank.receipt_photo WHERE customer_id = $1', [bob.customer.id])).toEqual([])
  })

  test('replaces an older picture when the customer has reached the maximum count', async () => {
    await send({}, ann, topUp.id)
    await runAsOwner(
      server.database.ownerUrl,
      `INSERT INTO bank.receipt_photo SELECT gen_random_uuid(), $1, gen_random_uuid()::text, 1, now(), '\\x00'
         FROM generate_series(1, $2)`,
      [ann.customer.id, MAX_PHOTOS - 1],
    )
    await expectRefusal(await send(), 'photos_full')
    expect((await send({}, ann, topUp.id)).status).toBe(204)
    expect((await send({}, bob)).status).toBe(204)
  })

  test('replaces older pictures when the customer has reached the maximum size', async () => {
    const { receiptsBytes } = server.deps.policy.pictures
    await runAsOwner(
      server.database.ownerUrl,
      `INSERT INTO bank.receipt_photo VALUES (gen_random_uuid(), $1, $2, $3, now(), '\\x00')`,
      [ann.customer.id, topUp.id, receiptsBytes],
    )
    await expectRefusal(await send(), 'photos_full')
    expect((await send({}, ann, topUp.id)).status).toBe(204)
    expect((await send()).status).toBe(204)
  })
})

test('notes and pictures are in the download of their customer only', async () => {
  await write('Mine alone')
  await write('Not hers', bob)
  await send({}, ann, topUp.id)
  const picture = Buffer.from(await (await look(ann, topUp.id)).arrayBuffer())
  const data = await exported(ann)
  expect(data.privateNotes).toEqual([{ transactionId: payment.id, note: 'Mine alone', writtenAt: expect.any(String) }])
  expect(data.receiptPhotos).toEqual([
    { transactionId: topUp.id, addedAt: expect.any(String), jpegBase64: picture.toString('base64') },
  ])
})

test('notes and pictures are deleted with their customer', async () => {
  await write('Mine')
  await send()
  await write('His', bob)
  const closure = ['POST', '/api/v1/profile/closure'] as const
  const closing = await sendWithProof(ann.browser, closure, { password: PASSWORD }, { body: {}, key: randomUUID() })
  expect(closing.status).toBe(204)
  const rowsLeft = (table: string) =>
    rows(`SELECT customer_id FROM bank.${table} WHERE customer_id = $1`, [ann.customer.id])
  expect([await rowsLeft('private_note'), await rowsLeft('receipt_photo')]).toEqual([[], []])
  expect(await detail(bob)).toMatchObject({ privateNote: 'His' })
})
