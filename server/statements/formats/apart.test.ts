import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Threads } from '#server/platform/threads.ts'
import { renderApart } from '#server/statements/formats/apart.ts'
import type { Rendering } from '#server/statements/formats/render.ts'

const log = pino({ level: 'silent' })
const piece = new Uint8Array([1])
async function* noLines() {}

/** A thread that does what it is told, and a file that somebody reads. */
function apart(write: (rendering: Rendering) => Promise<void>) {
  const [gone, makeRoom] = [new AbortController(), new AbortController()]
  const hangUp = vi.fn<() => void>(() => gone.abort())
  const workers: Threads = { run: (task) => write(task as Rendering), destroy: async () => undefined }
  const described = { format: 'csv', statement: {}, words: {}, lines: noLines() } as never
  const recipient = { gone: gone.signal, hangUp }
  const file = renderApart({ log, workers }, described, { recipient, makeRoom: makeRoom.signal })
  return { ...file, gone, makeRoom, hangUp }
}

/** Writes pieces for as long as somebody takes them. */
async function forEver({ file }: Rendering): Promise<void> {
  const writer = file.getWriter()
  writer.closed.catch(() => undefined)
  for (;;) {
    await writer.ready
    await writer.write(piece)
  }
}

test('what fails before the first piece is what the thread says, and later breaks the file off', async () => {
  const early = apart(() => Promise.reject(new Error('no memory')))
  await expect(early.begun).rejects.toThrow('no memory')
  const late = apart(async ({ file }) => {
    await file.getWriter().write(piece)
    throw new Error('no memory')
  })
  const reader = (await late.begun).getReader()
  expect(await reader.read()).toEqual({ done: false, value: piece })
  await expect(reader.read()).rejects.toThrow('A statement broke off')
})

test('a caller who hangs up stops the work', async () => {
  const file = apart(forEver)
  await (await file.begun).getReader().read()
  file.gone.abort()
  expect(await file.ended).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }])
})

test('where others wait, a file that is not read is broken off after ten seconds, and no sooner', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const file = apart(forEver)
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
