import { errorCode, isUnavailable } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** Sentences for the operating system's errors on files. */
const FILES: Record<string, (path: string) => string> = {
  ENOSPC: (path) => `There is no space left on the disk${path && ` for ${path}`}.`,
  EDQUOT: (path) => `There is no space left for this user${path && `, for ${path}`}.`,
  EROFS: (path) =>
    `${path || 'A folder'} is on a disk that is read-only; set DATA_DIR to a folder that can be written.`,
  EACCES: (path) => `This user may not open ${path || 'a file that Alder needs'}.`,
  EPERM: (path) => `This user may not change ${path || 'a file that Alder needs'}.`,
  EMFILE: () => 'This process may not open more files; raise its limit (ulimit -n, or LimitNOFILE in systemd).',
  ENFILE: () => 'This computer has too many open files.',
}

const NO_RIGHT = '42501'

/**
 * Returns the reason for a failed start or command in one sentence, if the operator can fix it. Returns null for a bug, which
 * its stack trace locates.
 */
export function explainStartFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof StartError) return error.message
  if (error instanceof AggregateError && error.errors.length > 0) return explainStartFailure(error.errors[0])
  const code = errorCode(error) ?? ''
  const file = FILES[code]
  const { path } = error as { path?: unknown }
  if (file && !(error as { address?: unknown }).address) return file(typeof path === 'string' ? path : '')
  const message = error.message.replace(/\.$/, '')
  if (code === NO_RIGHT) return `The role in DATABASE_URL lacks a right: ${message}.`
  if (isRefused(code) || isUnavailable(error)) return `The database does not let Alder work: ${message}.`
  return explainStartFailure(error.cause)
}

/**
 * Returns whether the server refused the connection: PostgreSQL's classes 28 (invalid authorization) and 3D (no such database),
 * or class 08 from a pooler that does not accept such a connection.
 */
function isRefused(code: string): boolean {
  return /^(28|3D|08)/.test(code)
}
