import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { SIGNATURE_BYTES } from '#server/kyc/documents/media-type.ts'
import { freeMemory } from '#server/platform/process/memory.ts'

/** A completely received upload. */
export type SpooledFile = {
  /** The first bytes, which identify the type. */
  head: Buffer
  /** Reads the whole file from the start. */
  read(): Readable
  discard(): Promise<void>
}

const CIPHER = 'aes-256-ctr'

/**
 * Receives an upload's body, at any speed, without holding it in memory. It goes into an unnamed temporary file, encrypted
 * under a key that is never stored. The caller discards the file. Throws Refusal `document_too_large` by the bytes received,
 * independently of the headers. Throws `request_invalid` if the body breaks off, and `unavailable` if the disk is full.
 */
export async function spool(incoming: IncomingMessage): Promise<SpooledFile> {
  const file = await openNameless()
  try {
    return await spoolInto(file, incoming)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function spoolInto(file: FileHandle, incoming: IncomingMessage): Promise<SpooledFile> {
  const key = randomBytes(32)
  const nonce = randomBytes(16)
  const cipher = createCipheriv(CIPHER, key, nonce)
  let head = Buffer.alloc(0)
  await copy(incoming, async (chunk) => {
    if (head.length < SIGNATURE_BYTES) head = Buffer.concat([head, chunk.subarray(0, SIGNATURE_BYTES)])
    const encrypted = cipher.update(chunk)
    freeMemory(chunk)
    await write(file, encrypted)
    freeMemory(encrypted)
  })
  return {
    head,
    read: () => {
      const decipher = createDecipheriv(CIPHER, key, nonce)
      const stream = file.createReadStream({ start: 0, autoClose: false })
      stream.once('error', (error) => decipher.destroy(error))
      return stream.pipe(decipher)
    },
    discard: () => file.close(),
  }
}

/** Passes a body on piece by piece. */
async function copy(incoming: IncomingMessage, writeChunk: (chunk: Buffer) => Promise<void>): Promise<void> {
  let size = 0
  try {
    // The iterator must leave the connection open, because a refusal still has to be sent over it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_DOCUMENT_BYTES) throw new Refusal('document_too_large')
      await writeChunk(chunk)
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

/** Opens a file that only its owner can read. It disappears with its handle, even after a crash. */
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
