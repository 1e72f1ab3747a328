import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { startBank } from '#server/faults/bank-process.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { type AlertTimes, openAlertRecorder } from './alert-recorder.ts'
import { FACTOR, withinSeconds } from './failures.ts'
import { openWatch, type PrometheusPrograms } from './prometheus.ts'

export const BACKUP_AWAY = "the backup's folder is away"

/**
 * Starts a second bank with its own PostgreSQL and a backup, because the drill's bank has no backup. Removes the folder of the
 * backup. Returns the times of the alerts and the faults found.
 */
export async function drillBackup(
  dir: string,
  programs: PrometheusPrograms,
): Promise<{ met: AlertTimes; wrong: string[] }> {
  const data = join(dir, 'data')
  const backup = join(dir, 'backup')
  mkdirSync(data, { recursive: true, mode: 0o711 })
  const metricsPort = await freePort()
  const bank = await startBank({ dir: data, env: { METRICS_PORT: String(metricsPort) } })
  try {
    const env = { ...process.env, DATA_DIR: data, BACKUP_PASSPHRASE: 'a passphrase of the drill' }
    const backupRun = spawnSync(process.execPath, ['server/cli/backup.ts', backup], { env, encoding: 'utf8' })
    if (backupRun.status !== 0) throw new Error(`The backup failed: ${backupRun.stderr}`)
    const watch = await openWatch(join(dir, 'prometheus'), programs, { ports: [metricsPort], factor: FACTOR })
    const conductor = openAlertRecorder(watch)
    try {
      const alertTimes = await conductor.meet({
        name: BACKUP_AWAY,
        raises: { AlderBackupStopped: withinSeconds(300, 60 + 30) },
        begin: async () => renameSync(backup, `${backup}.away`),
        mend: async () => renameSync(`${backup}.away`, backup),
      })
      return { met: alertTimes, wrong: conductor.wrong }
    } finally {
      await conductor.stop()
      await watch.stop()
    }
  } finally {
    await bank.end('SIGTERM')
  }
}
