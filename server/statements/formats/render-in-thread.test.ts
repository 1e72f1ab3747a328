import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Threads } from '#server/platform/worker-threads.ts'
import { renderInThread } from '#server/statements/formats/render-in-thread.ts'
import type { Rendering } from '#server/statements/formats/render.ts'

const log = pino({ level: 'silent' })
const piece = new Uint8Array([1])
async function* noLines() {}

/** Starts a rendering whose thread runs `write`, and returns the file with its recipient. */
function startRendering(write: (rendering: Rendering) => Promise<void>) {
  const [goneController, makeRoom] = [new AbortController(), new AbortController()]
  const hangUp = vi.fn<() => void>(() => goneController.abort())
  const workers: Threads = { run: (task) => write(task as Rendering), destroy: async () => undefined }
  const described = { format: 'csv', statement: {}, words: {}, lines: noLines() } as never
  const recipient = { gone: goneController.signal, hangUp }
  const file = renderInThread({ log, workers }, described, { recipient, makeRoom: makeRoom.signal })
  return { ...file, gone: goneController, makeRoom, hangUp }
}

/** Writes pieces until the recipient stops reading. */
async function writeForEver({ file }: Rendering): Promise<void> {
  const writer = file.getWriter()
  writer.closed.catch(() => undefined)
  for (;;) {
    await writer.ready
    await writer.write(piece)
  }
}

test('an error before the first piece is reported, and a later one cuts the file off', async () => {
  const earlyFailure = startRendering(() => Promise.reject(new Error('no memory')))
  await expect(earlyFailure.begun).rejects.toThrow('no memory')
  const lateFailure = startRendering(async ({ file }) => {
    await file.getWriter().write(piece)
    throw new Error('no memory')
  })
  const reader = (await lateFailure.begun).getReader()
  expect(await reader.read()).toEqual({ done: false, value: piece })
  await expect(reader.read()).rejects.toThrow('A statement was cut off')
})

test('a client that disconnects stops the work', async () => {
  const file = startRendering(writeForEver)
  await (await file.begun).getReader().read()
  file.gone.abort()
  expect(await file.ended).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }])
})

test('while others wait, an unread file is aborted after ten seconds, and not earlier', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const file = startRendering(writeForEver)
  const reader = (await file.begun).getReader()
  await reader.read()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(file.hangUp).not.toHaveBeenCalled()
  file.makeRoom.abort()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(file.hangUp).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(file.hangUp).toHaveBeenCalledOnce()
  await file.ended
})
