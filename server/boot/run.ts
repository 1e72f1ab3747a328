import { pino } from 'pino'
import { readConfig } from '#server/bank/config.ts'
import type { Policy } from '#server/bank/policy.ts'
import { foldFailures } from '#server/platform/log-folding.ts'
import { currentIds } from '#server/platform/telemetry/trace.ts'
import type { Prometheus } from '#server/platform/telemetry/prometheus.ts'
import { explainStartFailure } from '#server/platform/start-failure.ts'

type PolicyChanges = Partial<Policy>

/**
 * Returns an error's fields for the log. PostgreSQL's `detail` is left out, because it quotes rows that may contain personal
 * data.
 */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return { type: error.name, message: error.message, code, constraint, table, stack: error.stack }
}

/** Starts the bank and keeps it open until it receives a stop signal. Returns the process's exit code. */
async function keepOpen(changes: PolicyChanges): Promise<number> {
  const config = readConfig(process.env)
  let prometheus: Prometheus | undefined
  const folding = foldFailures({ onLine: (level) => prometheus?.count('alder_log_lines_total', { level }) })
  const log = pino({
    level: config.logLevel,
    base: null,
    serializers: { err: describeError },
    hooks: folding.hooks,
    mixin: currentIds,
  })
  if (config.metrics) {
    const { openPrometheus } = await import('#server/platform/telemetry/prometheus.ts')
    prometheus = openPrometheus(log)
  }
  // The handlers are installed first. A bank that is stopped during its start then still stops its database.
  const stopSignal = new Promise<number>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(0))
    // After a rejected promise without a handler, only one piece of work has failed, and the bank continues. After an uncaught
    // exception, any work may be half done, and the bank stops.
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise without a handler failed'))
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'an unhandled error; stopping')
      resolve(1)
    })
  })
  // The import comes after the check of the configuration. Loading the bank takes one or two seconds, and a wrong setting must
  // be reported immediately.
  const { startServer } = await import('#server/boot/start.ts')
  const server = await startServer(config, log, { policy: changes, prometheus })
  console.log(`Alder is open at ${server.url}`)
  const code = await stopSignal
  await server.close()
  folding.flush()
  if (server.isStuck()) {
    log.error({ part: 'backup' }, "the backup's disk does not answer, so the bank, which is closed, ends by SIGKILL")
    process.kill(process.pid, 'SIGKILL')
  }
  return code
}

/** Runs the bank as a process. The process ends when the bank stops. `changes` replaces values of the mode's policy. */
export async function runBankProcess(changes: PolicyChanges = {}): Promise<never> {
  try {
    process.exit(await keepOpen(changes))
  } catch (error) {
    console.error(explainStartFailure(error) ?? error)
    process.exit(1)
  }
}
