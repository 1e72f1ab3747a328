import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRunning } from '#server/faults/bank-process.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Runs `npm start` until the bank responds, and stops it as a service manager does. */
async function startAndStop(): Promise<{ startMs: number; lines: string[]; code: number | null }> {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: dir, PORT: '0', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'close')
  let output = ''
  while (!output.includes('Alder is open at ')) output += String((await once(child.stdout, 'data'))[0])
  const startMs = performance.now() - startedAt
  const server = Number(readFileSync(join(dir, 'server.pid'), 'utf8'))
  child.kill('SIGTERM')
  await exit
  expect(isRunning(server)).toBe(false)
  return { startMs, lines: output.trim().split('\n'), code: child.exitCode }
}

test('npm start opens the bank, within ten seconds the second time, and stops it on a signal', async () => {
  await startAndStop()
  const { startMs, lines, code } = await startAndStop()
  expect(startMs).toBeLessThan(10_000)
  expect(lines.at(-1)).toMatch(/^Alder is open at http:\/\/localhost:\d+$/)
  expect(code).toBe(0)
})
