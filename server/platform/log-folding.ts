import { type LoggerOptions, levels, type LogFn } from 'pino'
import { apartFromRequests } from '#server/platform/telemetry/trace.ts'

/** How often the log says how many failures of a kind there were since it last did, in milliseconds. */
const EVERY_MS = 30_000
/** pino's number of the level from which on failures are folded. */
const WARN = 40
/** So many kinds are kept in mind; what is of yet another is written whole. */
const MOST_KINDS = 1_000

type Fields = Record<string, unknown>

/** `fields`: those of the first that name its kind. */
type Kind = { fields: Fields; message: string | undefined; write: LogFn; folded: number; quiet: boolean }

type Folding = {
  hooks: NonNullable<LoggerOptions['hooks']>
  /** Says what has been folded until now. */
  flush(): void
}

type Options = { everyMs?: number; mostKinds?: number; onLine?: (level: string) => void }

/**
 * Writes the first failure of a kind whole, with its stack, and of those that follow only how many there were. What was folded
 * is always said, so the first and the numbers add up to all. A kind is forgotten once nothing of it comes for a whole
 * interval; the next one is a first again.
 */
export function foldFailures({ everyMs = EVERY_MS, mostKinds = MOST_KINDS, onLine }: Options = {}): Folding {
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
  /** Answers whether it is one of a kind that has been written. */
  const fold = (write: LogFn, level: number, given: unknown, message: unknown): boolean => {
    const fields = failureIn(given)
    if (!fields) return false
    const said = typeof message === 'string' ? message : undefined
    const key = JSON.stringify([level, said, fields])
    const known = kinds.get(key)
    if (known) {
      known.folded += 1
      known.quiet = false
      return true
    }
    if (kinds.size < mostKinds) {
      kinds.set(key, { fields: withoutPlace(fields), message: said, write, folded: 0, quiet: false })
      timer ??= setInterval(() => apartFromRequests(sayAll), everyMs).unref()
    }
    return false
  }
  return {
    flush: sayAll,
    hooks: {
      logMethod(args, method, level) {
        onLine?.(levels.labels[level] ?? 'other')
        // Called by `this` alone, whose level it is.
        const write = ((...line: Parameters<LogFn>) => method.apply(this, line)) as LogFn
        if (level < WARN || !fold(write, level, args[0], args[1])) method.apply(this, args)
      },
    },
  }
}

/** What tells one kind of failure from another: names, and no ids. Null for a line that is about no failure. */
function failureIn(given: unknown): Fields | null {
  if (typeof given !== 'object' || given === null) return null
  const { err, part, job, work, method, route, status } = given as Fields
  if (err === undefined && (route === undefined || status === undefined)) return null
  const named = {
    part,
    job,
    work,
    method,
    route,
    status,
    ...(err === undefined ? {} : { type: typeOf(err), code: codeOf(err), place: placeOf(err) }),
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

const withoutPlace = ({ place: _place, ...fields }: Fields): Fields => fields

const typeOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

function codeOf(error: unknown): unknown {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

/** Where it was thrown in the bank's own code, or else wherever it was. */
function placeOf(error: unknown): string | undefined {
  const frames = error instanceof Error ? (error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []) : []
  return (frames.find((frame) => !/node_modules|node:/.test(frame)) ?? frames[0])?.trim()
}
