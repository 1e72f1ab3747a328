import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { startBank } from '#server/faults/bank-process.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { type Met, openConductor } from './conductor.ts'
import { FACTOR, within } from './failures.ts'
import { openWatch, type Programs } from './prometheus.ts'

export const BACKUP_AWAY = "the backup's folder is away"

/**
 * The backup's folder goes away from a bank that has its database in its own folder, and so another bank than the one of the drill.
 * Answers what was met with, and what is wrong.
 */
export async function meetBackup(dir: string, programs: Programs): Promise<{ met: Met; wrong: string[] }> {
  const data = join(dir, 'data')
  const backup = join(dir, 'backup')
  mkdirSync(data, { recursive: true, mode: 0o711 })
  const metricsPort = await freePort()
  const bank = await startBank({ dir: data, env: { METRICS_PORT: String(metricsPort) } })
  try {
    const env = { ...process.env, DATA_DIR: data, BACKUP_PASSPHRASE: 'a passphrase of the drill' }
    const made = spawnSync(process.execPath, ['server/cli/backup.ts', backup], { env, encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`No backup was made: ${made.stderr}`)
    const watch = await openWatch(join(dir, 'prometheus'), programs, { ports: [metricsPort], factor: FACTOR })
    const conductor = openConductor(watch)
    try {
      const met = await conductor.meet({
        name: BACKUP_AWAY,
        raises: { AlderBackupStopped: within(300, 60 + 30) },
        begin: async () => renameSync(backup, `${backup}.away`),
        mend: async () => renameSync(`${backup}.away`, backup),
      })
      return { met, wrong: conductor.wrong }
    } finally {
      await conductor.stop()
      await watch.stop()
    }
  } finally {
    await bank.end('SIGTERM')
  }
}
