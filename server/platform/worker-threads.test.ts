import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openThreads } from '#server/platform/worker-threads.ts'

const WORK = `
export const hog = () => { const kept = []; for (let i = 0; i < 1e9; i += 1) kept.push({ i, text: 'x' + i }) }
export const echo = (task) => task
export const spin = () => { for (;;); }
`

test('work that needs too much memory is refused, and the next thread works', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'alder-threads-'))
  const filename = join(dir, 'work.mjs')
  writeFileSync(filename, WORK)
  const logged: string[] = []
  const log = pino({ base: null }, { write: (text) => logged.push(text) })
  const threads = openThreads(log, { atATime: 2, memory: { maxOldGenerationSizeMb: 32 } })
  try {
    expect(await threads.run('before', { filename, name: 'echo' })).toBe('before')
    await expect(threads.run(null, { filename, name: 'hog' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await threads.run('after', { filename, name: 'echo' })).toBe('after')
    expect(logged.join('')).toContain('a thread took too much memory')
  } finally {
    await threads.destroy()
    await rm(dir, { recursive: true, force: true })
  }
})

test('work that never ends is aborted, and waiting work gets a retry response', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'alder-threads-'))
  const filename = join(dir, 'work.mjs')
  writeFileSync(filename, WORK)
  const threads = openThreads(pino({ level: 'silent' }), { atATime: 1, deadlineMs: 500 })
  try {
    await expect(threads.run(null, { filename, name: 'spin' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await threads.run('after', { filename, name: 'echo' })).toBe('after')
  } finally {
    await threads.destroy()
    await rm(dir, { recursive: true, force: true })
  }
})
