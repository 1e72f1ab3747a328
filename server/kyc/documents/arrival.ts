import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/kyc.ts'
import { release } from '#server/platform/process/memory.ts'

/** How many uploads may be arriving at one server; each takes a file of its own, up to MAX_DOCUMENT_BYTES long. */
const MAX_ARRIVING = 100

/** A file that has arrived whole. */
export type Arrival = {
  /** All of it. Asked for when there is memory for it. */
  read(): Promise<Buffer>
  discard(): Promise<void>
}

let arriving = 0

/**
 * Takes in the body of an upload, however slowly it comes and however many come at once, without holding it in memory:
 * it goes into a temporary file that has no name, encrypted under a key that nobody else has and nobody keeps.
 * The caller discards it. Throws Refusal `document_too_large` (counted, whatever the headers said), `request_invalid`
 * where the body breaks off, `unavailable` where there is no room.
 */
export async function receive(incoming: IncomingMessage): Promise<Arrival> {
  if (arriving >= MAX_ARRIVING) throw new Refusal('unavailable')
  arriving += 1
  let file: FileHandle | null = null
  const discard = async (): Promise<void> => {
    arriving -= 1
    await file?.close()
  }
  try {
    file = await openNameless()
    return await receiveInto(file, incoming, discard)
  } catch (error) {
    await discard()
    throw error
  }
}

async function receiveInto(file: FileHandle, incoming: IncomingMessage, discard: Arrival['discard']) {
  const key = randomBytes(32)
  const nonce = randomBytes(16)
  const cipher = createCipheriv('aes-256-ctr', key, nonce)
  const size = await copy(incoming, async (chunk) => {
    const encrypted = cipher.update(chunk)
    release(chunk)
    await write(file, encrypted)
    release(encrypted)
  })
  const read = async (): Promise<Buffer> => {
    const kept = Buffer.allocUnsafeSlow(size)
    const { bytesRead } = await file.read(kept, 0, size, 0)
    if (bytesRead !== size) throw new Error('A temporary file is shorter than what was written')
    const content = createDecipheriv('aes-256-ctr', key, nonce).update(kept)
    release(kept)
    return content
  }
  return { read, discard }
}

/** Hands a body on piece by piece, and answers its length in bytes. */
async function copy(incoming: IncomingMessage, keep: (chunk: Buffer) => Promise<void>): Promise<number> {
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
  return size
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
