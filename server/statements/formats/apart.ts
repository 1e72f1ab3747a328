import { once } from 'node:events'
import type { Deps } from '#server/platform/deps.ts'
import type { Recipient } from '#server/platform/http/recipient.ts'
import type { Threads } from '#server/platform/threads.ts'
import type { Rendering } from '#server/statements/formats/render.ts'
import type { StatementLine } from '#server/statements/reading/statement.ts'

/** What is run in a thread of its own. */
const RENDERER = { filename: import.meta.resolve('#server/statements/formats/render.ts'), name: 'renderStatement' }

/** How long a file in whose place others wait may wait for its recipient, in all, in seconds. */
const PATIENCE_SECONDS = 10

type Described = Pick<Rendering, 'format' | 'csv' | 'statement' | 'words'> & { lines: AsyncGenerator<StatementLine[]> }
/** `makeRoom` is aborted when others wait for the file's place. */
type Reading = { recipient: Recipient; makeRoom: AbortSignal | null }

/** A file that is being written: its pieces, once there is a first one; and when all work on it has ended. */
type Apart = { begun: Promise<ReadableStream<Uint8Array>>; ended: Promise<unknown> }

/**
 * Writes a statement in a thread. Lines go there and pieces come back as they are asked for, so that neither the whole
 * statement nor the whole file is ever in memory.
 */
export function renderApart(
  { workers, log }: Pick<Deps, 'log'> & { workers: Threads },
  { lines: read, ...described }: Described,
  { recipient, makeRoom }: Reading,
): Apart {
  const lines = streamOf(read)
  const { readable, writable: file } = new TransformStream<Uint8Array, Uint8Array>()
  const rendering: Rendering = { ...described, lines, file }
  const task = workers.run(rendering, RENDERER, [lines, file])
  // A thread that breaks off tells its streams nothing.
  const broken = task.then(() => new Promise<never>(() => undefined))
  const reader = readable.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  const progress = { begun: false, waitsForRecipient: false }
  async function* pieces() {
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), broken])
        if (done) return
        progress.waitsForRecipient = true
        yield value
        progress.waitsForRecipient = false
      }
    } catch (error) {
      if (!progress.begun) throw error
      // All that is left is to break the response off: half a file must not look like a whole one.
      if (!recipient.gone.aborted) log.error({ err: error }, 'a statement broke off')
      throw new Error('A statement broke off', { cause: error })
    } finally {
      stop()
    }
  }
  recipient.gone.addEventListener('abort', stop)
  makeRoom?.addEventListener('abort', () => hurry(recipient, progress))
  const ended = Promise.allSettled([task, gone(recipient.gone)])
  return { begun: beginning(pieces(), progress), ended }
}

/** What a generator yields, each piece when it is asked for. */
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
  progress: { begun: boolean },
): Promise<ReadableStream<Uint8Array>> {
  const first = await pieces.next()
  progress.begun = true
  async function* all() {
    if (!first.done) yield first.value
    yield* pieces
  }
  return streamOf(all())
}

const gone = async (signal: AbortSignal) => (signal.aborted ? undefined : once(signal, 'abort'))

/** Breaks a response off once it has waited for its recipient for too long from now on, in all. */
function hurry({ gone: signal, hangUp }: Recipient, progress: { waitsForRecipient: boolean }): void {
  let secondsLeft = PATIENCE_SECONDS
  const timer = setInterval(() => {
    if (progress.waitsForRecipient) secondsLeft -= 1
    if (secondsLeft === 0) hangUp()
  }, 1_000)
  signal.addEventListener('abort', () => clearInterval(timer))
}
