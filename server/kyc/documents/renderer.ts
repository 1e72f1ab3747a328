import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#contract/errors.ts'
import { EXIT } from '#server/kyc/documents/rendering.ts'
import type { MediaType } from '#server/kyc/documents/media-type.ts'

/** For one file, from the start of its process to the last byte of its picture, in milliseconds: on a busy machine too. */
const DEADLINE_MS = 20_000
/** More than any picture of KEPT_SIDE, or any ten pages, come to. */
const MAX_RENDERED_BYTES = 24 * 1024 * 1024

/** Kept by the operating system, should the process not listen any more, or the bank be gone: seconds of processor time, and KiB. */
const LIMITS = 'ulimit -t 8; ulimit -d 1048576 2>/dev/null; exec "$0" "$@"'
/** Of 64 KiB. PDFium lives in WebAssembly, whose memory no other limit covers on every system. */
const WASM_PAGES = 4096
const HEAP_MB = 96
const NICENESS = 5

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Its code and nothing else: no other file, no other process, no network. */
const READABLE = ['server', 'contract', 'node_modules', 'package.json']
const NODE_OPTIONS = [
  '--no-warnings',
  '--permission',
  '--allow-addons',
  ...READABLE.map((path) => `--allow-fs-read=${join(ROOT, path)}`),
  `--max-old-space-size=${HEAP_MB}`,
  `--wasm-max-mem-pages=${WASM_PAGES}`,
]
const PROGRAM = join(import.meta.dirname, 'render-process.ts')

/**
 * Makes a JPEG of a file in a process of its own, which ends with it, at the deadline at the latest. Throws Refusal
 * `document_unreadable`, `document_locked`, `document_too_long`, or `unavailable`.
 */
export async function renderDocument(
  source: Readable,
  mediaType: MediaType,
  { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
): Promise<Buffer> {
  const child = start(mediaType)
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  try {
    const [exitCode, jpeg] = await Promise.all([ended(child), collect(child), feed(source, child)])
    if (exitCode !== EXIT.rendered || jpeg.length === 0) throw refusalFor(exitCode)
    return jpeg
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>

function start(mediaType: MediaType): Child {
  const child = spawn('/bin/sh', ['-c', LIMITS, process.execPath, ...NODE_OPTIONS, PROGRAM, mediaType], {
    // Nothing of the bank's configuration. One arena: memory that a thread gave back is there for the others.
    env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS)
  } catch {
    // It has ended already, or the system keeps no such thing.
  }
  return child
}

/** Its exit code; null where it was killed. Throws Refusal `unavailable` where the system starts no process. */
async function ended(child: Child): Promise<number | null> {
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null]
    return exitCode
  } catch (error) {
    throw new Refusal('unavailable', undefined, { cause: error })
  }
}

/** A process that stops reading early closes its end; its exit code says why. */
async function feed(source: Readable, child: Child): Promise<void> {
  await pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw error
  })
}

async function collect(child: Child): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MAX_RENDERED_BYTES) {
      child.kill('SIGKILL')
      return Buffer.alloc(0)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** What the customer is told when a process has rendered nothing, by its exit code. */
export function refusalFor(exitCode: number | null): Refusal {
  if (exitCode === EXIT.locked) return new Refusal('document_locked')
  if (exitCode === EXIT.tooLong) return new Refusal('document_too_long')
  return new Refusal('document_unreadable', undefined, { cause: new Error(`Rendering ended with ${exitCode}`) })
}
