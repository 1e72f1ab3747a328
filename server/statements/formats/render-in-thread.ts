import { once } from 'node:events'
import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/response-recipient.ts'
import type { Threads } from '#server/platform/worker-threads.ts'
import type { Rendering } from '#server/statements/formats/render.ts'
import type { StatementLine } from '#server/statements/reading/statement.ts'

/** The function that a separate thread runs. */
const RENDERER = { filename: import.meta.resolve('#server/statements/formats/render.ts'), name: 'renderStatement' }

/**
 * The number of seconds for which a file may still wait for its recipient in total, after another file has begun to wait for
 * its place.
 */
const PATIENCE_SECONDS = 10

type RenderingInput = Pick<Rendering, 'format' | 'csv' | 'statement' | 'words'> & {
  lines: AsyncGenerator<StatementLine[]>
}
/** The recipient of a file. `makeRoom`: a signal that aborts when another file waits for this file's place. */
type Reading = { recipient: Recipient; makeRoom: AbortSignal | null }

/**
 * A file that is being written. `begun` resolves with the file's pieces once the first piece exists. `ended` resolves when the
 * writing has ended and the recipient has left.
 */
type Apart = { begun: Promise<ReadableStream<Uint8Array>>; ended: Promise<unknown> }

/**
 * Writes a statement in a separate thread. Lines go to the thread and pieces come back on demand, so neither the whole
 * statement nor the whole file is ever in memory.
 */
export function renderInThread(
  { workers, log }: Pick<Deps, 'log'> & { workers: Threads },
  { lines: read, ...described }: RenderingInput,
  { recipient, makeRoom }: Reading,
): Apart {
  const lines = streamOf(read)
  const { readable, writable: file } = new TransformStream<Uint8Array, Uint8Array>()
  const rendering: Rendering = { ...described, lines, file }
  const task = workers.run(rendering, RENDERER, [lines, file])
  // If the thread fails, its streams do not signal the failure. The thread's promise does.
  const taskFailure = task.then(() => new Promise<never>(() => undefined))
  const reader = readable.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  const progress = { isStarted: false, waitsForRecipient: false }
  async function* pieces() {
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), taskFailure])
        if (done) return
        progress.waitsForRecipient = true
        yield value
        progress.waitsForRecipient = false
      }
    } catch (error) {
      if (!progress.isStarted) throw error
      // The response has already begun, so the connection is cut off. Otherwise the recipient would take half a file for a
      // whole one.
      if (!recipient.gone.aborted) log.error({ err: error }, 'a statement was cut off')
      throw new Error('A statement was cut off', { cause: error })
    } finally {
      stop()
    }
  }
  recipient.gone.addEventListener('abort', stop)
  makeRoom?.addEventListener('abort', () => limitWaiting(recipient, progress))
  const ended = Promise.allSettled([task, waitForAbort(recipient.gone)])
  return { begun: beginning(pieces(), progress), ended }
}

/** Returns a generator as a stream that fetches each piece on demand. */
const streamOf = <Piece>(pieces: AsyncGenerator<Piece>): ReadableStream<Piece> =>
  new ReadableStream<Piece>(
    {
      async pull(stream) {
        const { done, value } = await pieces.next()
        if (done) stream.close()
        else stream.enqueue(value)
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  )

async function beginning(
  pieces: AsyncGenerator<Uint8Array>,
  progress: { isStarted: boolean },
): Promise<ReadableStream<Uint8Array>> {
  const first = await pieces.next()
  progress.isStarted = true
  async function* allPieces() {
    if (!first.done) yield first.value
    yield* pieces
  }
  return streamOf(allPieces())
}

const waitForAbort = async (signal: AbortSignal) => (signal.aborted ? undefined : once(signal, 'abort'))

/**
 * Cuts off a response that waits too long for its recipient. The limit is `PATIENCE_SECONDS` of waiting in total, counted from
 * this call.
 */
function limitWaiting({ gone: signal, hangUp }: Recipient, progress: { waitsForRecipient: boolean }): void {
  let secondsLeft = PATIENCE_SECONDS
  const timer = setInterval(() => {
    if (progress.waitsForRecipient) secondsLeft -= 1
    if (secondsLeft === 0) hangUp()
  }, 1_000)
  signal.addEventListener('abort', () => clearInterval(timer))
}
