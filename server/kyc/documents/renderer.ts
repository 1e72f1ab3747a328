import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#contract/errors.ts'
import { EXIT } from '#server/kyc/documents/rendering.ts'
import type { MediaType } from '#server/kyc/documents/media-type.ts'

/**
 * The time limit for one file, from the start of its process to the last byte of its picture, in milliseconds. It is long
 * enough for a busy machine.
 */
const DEADLINE_MS = 20_000
/** The size limit of a rendered picture, in bytes. It is larger than any picture of KEPT_SIDE or any ten pages. */
const MAX_RENDERED_BYTES = 24 * 1024 * 1024

/**
 * Limits that the operating system enforces, even if the process hangs or the bank has crashed: seconds of processor time, and
 * KiB of memory.
 */
const LIMITS = 'ulimit -t 8; ulimit -d 1048576 2>/dev/null; exec "$0" "$@"'
/**
 * The limit of WebAssembly memory, in pages of 64 KiB. PDFium runs in WebAssembly, and no other limit covers that memory on
 * every system.
 */
const WASM_PAGES = 4096
const HEAP_MB = 96
const NICENESS = 5

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The paths that the process may read: its own code. It has no access to other files, to other processes or to the network. */
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
 * Renders a file as a JPEG in a separate process. The process ends with the file, or at the deadline at the latest. Throws
 * Refusal `document_unreadable`, `document_locked`, `document_too_long`, or `unavailable`.
 */
export async function renderDocument(
  source: Readable,
  mediaType: MediaType,
  { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
): Promise<Buffer> {
  const child = start(mediaType)
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  try {
    const [exitCode, jpeg] = await Promise.all([exitCodeOf(child), collect(child), feed(source, child)])
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
    // The environment has none of the bank's configuration. One malloc arena lets threads reuse each other's freed memory.
    env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS)
  } catch {
    // The process has ended already, or the system does not support this setting.
  }
  return child
}

/**
 * Returns the process's exit code, or null if it was killed. Throws Refusal `unavailable` if the system cannot start a process.
 */
async function exitCodeOf(child: Child): Promise<number | null> {
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null]
    return exitCode
  } catch (error) {
    throw new Refusal('unavailable', undefined, { cause: error })
  }
}

/** A process that stops reading early closes its stdin. Its exit code gives the reason. */
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

/** Returns the refusal for a process that rendered nothing, by its exit code. */
export function refusalFor(exitCode: number | null): Refusal {
  if (exitCode === EXIT.locked) return new Refusal('document_locked')
  if (exitCode === EXIT.tooLong) return new Refusal('document_too_long')
  return new Refusal('document_unreadable', undefined, { cause: new Error(`Rendering ended with ${exitCode}`) })
}
