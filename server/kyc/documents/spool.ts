import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { SIGNATURE_BYTES } from '#server/kyc/documents/media-type.ts'
import { release } from '#server/platform/process/memory.ts'

/** An upload that has arrived whole. */
export type Spooled = {
  /** Its first bytes, by which its kind is told. */
  head: Buffer
  /** All of it, from the start. */
  read(): Readable
  discard(): Promise<void>
}

const CIPHER = 'aes-256-ctr'

/**
 * Takes in the body of an upload, however slowly it comes, without holding it in memory: it goes into a temporary file
 * that has no name, encrypted under a key that is never stored. The caller discards it. Throws Refusal
 * `document_too_large` (counted, whatever the headers said), `request_invalid` where the body breaks off, `unavailable`
 * where there is no room.
 */
export async function spool(incoming: IncomingMessage): Promise<Spooled> {
  const file = await openNameless()
  try {
    return await spoolInto(file, incoming)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function spoolInto(file: FileHandle, incoming: IncomingMessage): Promise<Spooled> {
  const key = randomBytes(32)
  const nonce = randomBytes(16)
  const cipher = createCipheriv(CIPHER, key, nonce)
  let head = Buffer.alloc(0)
  await copy(incoming, async (chunk) => {
    if (head.length < SIGNATURE_BYTES) head = Buffer.concat([head, chunk.subarray(0, SIGNATURE_BYTES)])
    const encrypted = cipher.update(chunk)
    release(chunk)
    await write(file, encrypted)
    release(encrypted)
  })
  return {
    head,
    read: () => {
      const decipher = createDecipheriv(CIPHER, key, nonce)
      const kept = file.createReadStream({ start: 0, autoClose: false })
      kept.once('error', (error) => decipher.destroy(error))
      return kept.pipe(decipher)
    },
    discard: () => file.close(),
  }
}

/** Hands a body on piece by piece. */
async function copy(incoming: IncomingMessage, keep: (chunk: Buffer) => Promise<void>): Promise<void> {
  let size = 0
  try {
    // The iterator does not end the connection with itself: a refusal has still to be answered over it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_DOCUMENT_BYTES) throw new Refusal('document_too_large')
      await keep(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('request_invalid', undefined, { cause: error })
  }
}

async function write(file: FileHandle, chunk: Buffer): Promise<void> {
  try {
    await file.write(chunk)
  } catch (error) {
    throw new Refusal('unavailable', undefined, { cause: error })
  }
}

/** A file that its owner alone could read, and that goes with the handle, however we end. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `alder-${randomBytes(12).toString('hex')}`)
  try {
    const file = await open(path, 'wx+', 0o600)
    await rm(path)
    return file
  } catch (error) {
    throw new Refusal('unavailable', undefined, { cause: error })
  }
}
