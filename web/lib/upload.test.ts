import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { DOCUMENT_MEDIA, MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { checkFile, detectMediaType } from '#web/lib/upload.ts'

const RULES = { media: DOCUMENT_MEDIA, maxBytes: MAX_DOCUMENT_BYTES }
const PHOTOS = { media: ['image/jpeg', 'image/png'], maxBytes: MAX_DOCUMENT_BYTES } as const

const JPEG = [0xff, 0xd8, 0xff, 0xe0]
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const PDF = [...Buffer.from('%PDF-1.7')]

const fileOf = (head: number[] | string, size = 100, type = '') => {
  const start = typeof head === 'string' ? Buffer.from(head) : Uint8Array.from(head)
  return new Blob([start, new Uint8Array(size - start.length)], { type })
}

test.each([
  ['a JPEG', JPEG, 'image/jpeg'],
  ['a PNG', PNG, 'image/png'],
  ['a PDF', PDF, 'application/pdf'],
])('recognizes %s by its first bytes, under any name', async (_what, head, media) => {
  expect(await checkFile(fileOf(head, 100, 'text/plain'), RULES)).toBe(media)
})

test.each([
  ['HTML declared as a JPEG', '<!doctype html><script>', 'image/jpeg'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml'],
  ['GIF', 'GIF89a', 'image/gif'],
  ['a PDF without its signature', ' %PDF-1.7', 'application/pdf'],
  ['half a PNG signature', '\u{89}PN', 'image/png'],
])('refuses %s', async (_what, head, type) => {
  await expect(checkFile(fileOf(head, 100, type), RULES)).rejects.toMatchObject({ code: 'document_kind_refused' })
})

test('refuses an empty file', async () => {
  await expect(checkFile(new Blob([]), RULES)).rejects.toMatchObject({ code: 'document_kind_refused' })
})

test('a selfie cannot be a PDF, and the text explains it', async () => {
  await expect(checkFile(fileOf(PDF), PHOTOS)).rejects.toMatchObject({ code: 'photo_kind_refused' })
})

test('accepts a file up to the last byte and not one more', async () => {
  expect(await checkFile(fileOf(JPEG, MAX_DOCUMENT_BYTES), RULES)).toBe('image/jpeg')
  await expect(checkFile(fileOf(JPEG, MAX_DOCUMENT_BYTES + 1), RULES)).rejects.toMatchObject({
    code: 'document_too_large',
  })
})

test('reports a file that disappeared after it was chosen', async () => {
  const missingFile = { slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) }
  const checkResult = checkFile(missingFile as unknown as Blob, RULES)
  await expect(checkResult).rejects.toBeInstanceOf(Refusal)
  await expect(checkResult).rejects.toMatchObject({ code: 'document_unreadable' })
})

test('a header too short for its signature is not recognized', () => {
  expect(detectMediaType(Uint8Array.from([0xff, 0xd8]))).toBeNull()
  expect(detectMediaType(new Uint8Array())).toBeNull()
})
