import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, unlinkSync, writeSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endAll, isReady, startBank, WITHOUT_LIMITS, until } from '#server/faults/bank-process.ts'
import { openFaultPayers } from '#server/faults/payers.ts'

/** The size is enough for a new database, its log, and a little space. */
const DISK = '200m'

/** Runs its further arguments with a small disk at `$1`. The disk disappears when the last process ends. */
const AS_ROOT = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${DISK},mode=755 tmpfs "$1" && shift && exec "$@"`,
  'sh',
]
/** Does the same for a normal user. The inner user namespace restores that user, because PostgreSQL refuses to run as root. */
const AS_USER = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${DISK},mode=755 tmpfs "$1" && shift && exec unshare --user --map-user=1000 --map-group=1000 "$@"`,
  'sh',
]

const dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
const [program = '', ...args] = [...(process.getuid?.() === 0 ? AS_ROOT : AS_USER), dir]
const trial = spawnSync(program, [...args, 'true'], { encoding: 'utf8' })
const canMount = trial.status === 0
if (!canMount) {
  const reason = trial.error?.message ?? trial.stderr.trim()
  process.stderr.write(
    `SKIPPED: the full disk is not tested, because this machine lets nobody mount a small one: ${reason}\n`,
  )
}

afterAll(async () => {
  await endAll()
  rmSync(dir, { recursive: true, force: true })
})

test.runIf(canMount)(
  'a full disk: requests get 503 and change nothing, until there is space again',
  { timeout: 90_000 },
  async () => {
    const bank = await startBank({ main: WITHOUT_LIMITS, dir, wrapper: [program, ...args] })
    const payers = await openFaultPayers(bank.url)
    expect(await payers.send()).toBe(200)

    // Only the bank's process sees the disk; /proc gives the test access to it.
    const ballast = join(`/proc/${bank.child.pid}/root`, dir, 'ballast')
    fill(ballast)
    const load = payers.load()
    let status: number | null = 200
    await until('a send is refused', 40_000, async () => (status = await payers.send()) !== 200)
    expect(status).toBe(503)
    await load.stop()

    unlinkSync(ballast)
    await until('the bank is ready', 20_000, () => isReady(bank.url))
    await until('the bank accepts payments again', 20_000, async () => (await payers.send()) === 200)
    await payers.verify(bank.url)
    expect(await bank.end('SIGTERM')).toBe(0)
  },
)

/** Writes until the disk is full. */
function fill(file: string): void {
  const chunk = Buffer.alloc(64 * 1024)
  const out = openSync(file, 'w')
  try {
    for (;;) writeSync(out, chunk)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    closeSync(out)
  }
}
