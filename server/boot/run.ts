import { pino } from 'pino'
import { readConfig } from '#server/bank/config.ts'
import type { Policy } from '#server/bank/policy.ts'
import { foldFailures } from '#server/platform/log-folding.ts'
import { origin } from '#server/platform/telemetry/trace.ts'
import type { Prometheus } from '#server/platform/telemetry/prometheus.ts'
import { sentenceOf } from '#server/platform/failed-start.ts'

type PolicyChanges = Partial<Policy>

/** What the log says of an error. PostgreSQL's detail is left out: it quotes rows, and with them people. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return { type: error.name, message: error.message, code, constraint, table, stack: error.stack }
}

/** Starts the bank and keeps it open until it is told to stop. Answers the process's exit code. */
async function keepOpen(changes: PolicyChanges): Promise<number> {
  const config = readConfig(process.env)
  let prometheus: Prometheus | undefined
  const folding = foldFailures({ onLine: (level) => prometheus?.count('alder_log_lines_total', { level }) })
  const log = pino({
    level: config.logLevel,
    base: null,
    serializers: { err: describeError },
    hooks: folding.hooks,
    mixin: origin,
  })
  if (config.metrics) {
    const { openPrometheus } = await import('#server/platform/telemetry/prometheus.ts')
    prometheus = openPrometheus(log)
  }
  // From the first moment on: a bank that is told to stop while it starts still stops its database.
  const told = new Promise<number>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(0))
    // A promise that nobody awaits is one piece of work that failed; an exception may have left anything half done.
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise that nobody awaited failed'))
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'an error that nobody handled; stopping')
      resolve(1)
    })
  })
  // Only now: all that a bank is made of takes a second or two to load, and a wrong setting is told at once.
  const { startServer } = await import('#server/boot/start.ts')
  const server = await startServer(config, log, { policy: changes, prometheus })
  console.log(`Alder is open at ${server.url}`)
  const code = await told
  await server.close()
  folding.flush()
  if (server.isStuck()) {
    log.error({ part: 'backup' }, "the backup's disk does not answer, so the bank, which is closed, ends by SIGKILL")
    process.kill(process.pid, 'SIGKILL')
  }
  return code
}

/** The bank as a process: ends it when the bank does. `changes` are to the policy of its mode. */
export async function run(changes: PolicyChanges = {}): Promise<never> {
  try {
    process.exit(await keepOpen(changes))
  } catch (error) {
    console.error(sentenceOf(error) ?? error)
    process.exit(1)
  }
}
