import { errorCode, isUnavailable } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** What the computer says of files, and whose fault it is then. */
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
 * Why a start or a command failed, in one sentence, where a person can put it right. Null for a fault of ours, which is
 * found by its stack.
 */
export function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof StartError) return error.message
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0])
  const code = errorCode(error) ?? ''
  const file = FILES[code]
  const { path } = error as { path?: unknown }
  if (file && !(error as { address?: unknown }).address) return file(typeof path === 'string' ? path : '')
  const said = error.message.replace(/\.$/, '')
  if (code === NO_RIGHT) return `The role in DATABASE_URL lacks a right: ${said}.`
  if (isRefused(code) || isUnavailable(error)) return `The database does not let Alder work: ${said}.`
  return sentenceOf(error.cause)
}

/** PostgreSQL's classes 28 (who are you) and 3D (no such database), and what a pooler says where it takes no such connection. */
function isRefused(code: string): boolean {
  return /^(28|3D|08)/.test(code)
}
