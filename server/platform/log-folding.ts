import { type LoggerOptions, levels, type LogFn } from 'pino'
import { outsideRequest } from '#server/platform/telemetry/trace.ts'

/** The interval at which the numbers of folded failures are logged, in milliseconds. */
const EVERY_MS = 30_000
/** pino's number of the lowest level at which failures are folded. */
const WARN = 40
/** The largest number of remembered kinds. Failures of further kinds are written in full. */
const MAX_KINDS = 1_000

type Fields = Record<string, unknown>

/**
 * A kind of failure. `fields` identify the kind. `folded`: the number of failures that have not been logged yet. `quiet`:
 * whether no failure of the kind came since the last logged number.
 */
type Kind = { fields: Fields; message: string | undefined; write: LogFn; folded: number; quiet: boolean }

type Folding = {
  hooks: NonNullable<LoggerOptions['hooks']>
  /** Logs the numbers of failures folded so far. */
  flush(): void
}

type Options = { everyMs?: number; mostKinds?: number; onLine?: (level: string) => void }

/**
 * Writes the first failure of a kind in full, with its stack. Counts the later failures of the kind and logs their number at
 * intervals. The first failure and the logged numbers therefore add up to all failures. A kind without failures for a whole
 * interval is forgotten: its next failure is written in full again.
 */
export function foldFailures({ everyMs = EVERY_MS, mostKinds = MAX_KINDS, onLine }: Options = {}): Folding {
  const kinds = new Map<string, Kind>()
  let timer: NodeJS.Timeout | null = null
  const sayAll = (): void => {
    for (const [key, kind] of kinds) {
      const { fields, message, write, folded, quiet } = kind
      if (folded > 0) write({ ...fields, folded, seconds: everyMs / 1_000 }, message)
      else if (quiet) kinds.delete(key)
      Object.assign(kind, { folded: 0, quiet: true })
    }
    if (kinds.size > 0) return
    if (timer) clearInterval(timer)
    timer = null
  }
  /** Returns whether a failure was folded into a kind that has been written. */
  const fold = (write: LogFn, level: number, logged: unknown, message: unknown): boolean => {
    const fields = failureIn(logged)
    if (!fields) return false
    const text = typeof message === 'string' ? message : undefined
    const key = JSON.stringify([level, text, fields])
    const foldedKind = kinds.get(key)
    if (foldedKind) {
      foldedKind.folded += 1
      foldedKind.quiet = false
      return true
    }
    if (kinds.size < mostKinds) {
      kinds.set(key, { fields: withoutPlace(fields), message: text, write, folded: 0, quiet: false })
      timer ??= setInterval(() => outsideRequest(sayAll), everyMs).unref()
    }
    return false
  }
  return {
    flush: sayAll,
    hooks: {
      logMethod(args, method, level) {
        onLine?.(levels.labels[level] ?? 'other')
        // `write` calls the same method of the same logger (`this`), so the later line has the level of this one.
        const write = ((...line: Parameters<LogFn>) => method.apply(this, line)) as LogFn
        if (level < WARN || !fold(write, level, args[0], args[1])) method.apply(this, args)
      },
    },
  }
}

/** Returns the fields that distinguish kinds of failures: names, without ids. Returns null for a line about no failure. */
function failureIn(logged: unknown): Fields | null {
  if (typeof logged !== 'object' || logged === null) return null
  const { err, part, job, work, method, route, status } = logged as Fields
  if (err === undefined && (route === undefined || status === undefined)) return null
  const namedFields = {
    part,
    job,
    work,
    method,
    route,
    status,
    ...(err === undefined ? {} : { type: typeOf(err), code: codeOf(err), place: placeOf(err) }),
  }
  return Object.fromEntries(Object.entries(namedFields).filter(([, value]) => value !== undefined))
}

const withoutPlace = ({ place: _place, ...fields }: Fields): Fields => fields

const typeOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

function codeOf(error: unknown): unknown {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

/**
 * Returns the place in the bank's own code where an error was thrown. If the stack contains no such place, returns the first
 * place in the stack.
 */
function placeOf(error: unknown): string | undefined {
  const frames = error instanceof Error ? (error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []) : []
  return (frames.find((frame) => !/node_modules|node:/.test(frame)) ?? frames[0])?.trim()
}
