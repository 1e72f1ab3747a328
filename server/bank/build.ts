import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which build of the bank this is. */
export type Build = { version: string; commit: string }

const ROOT = join(import.meta.dirname, '..', '..')
const COMMIT = /^[0-9a-f]{7,64}$/

/** A release says its commit in release.json, a clone in its repository; 'unknown' where there is neither. */
export function readBuild(root = ROOT): Build {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = released(join(root, 'release.json')) ?? checkedOut(join(root, '.git')) ?? ''
  return { version, commit: COMMIT.test(commit) ? commit.slice(0, 12) : 'unknown' }
}

function released(path: string): string | null {
  const text = textOf(path)
  return text === null ? null : (JSON.parse(text) as { commit: string }).commit
}

/** The commit of a repository, without its program. */
function checkedOut(git: string): string | null {
  const head = textOf(join(git, 'HEAD'))
  const name = head?.match(/^ref: (.+)$/)?.[1]
  if (name === undefined) return head
  const packed = textOf(join(git, 'packed-refs'))?.split('\n')
  return textOf(join(git, name)) ?? packed?.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? null
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
