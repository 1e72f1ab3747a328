// @ts-check
import { git } from './run.mjs'

/** The titles of all commits after this one have the form in CONTRIBUTING.md. */
const BASE = 'a8b1eca57c7010baaac798d3995202221d530ee6'

const MAX_LETTERS = 100
const FORM = /^[a-z][a-z0-9 ,/-]*: \S/

/**
 * Returns the fault in a commit's title, or null. The titles that Git gives to merges and reverts are accepted.
 * @param {string} title
 * @returns {string | null}
 */
export function titleFault(title) {
  if (/^(Merge|Revert) /.test(title)) return null
  if (!FORM.test(title)) return 'a title has the form "area: what changes"'
  if (title.length > MAX_LETTERS) return `a title has at most ${MAX_LETTERS} letters`
  return title.endsWith('.') ? 'a title ends without a full stop' : null
}

/**
 * Checks the titles of the commits since BASE. Passes in a shallow clone or an unpacked archive, because BASE is missing there.
 * @returns {{ code: number, output: string }}
 */
export function checkCommitTitles() {
  if (git('merge-base', '--is-ancestor', BASE, 'HEAD') === null) return { code: 0, output: '' }
  const log = git('log', '--format=%h %s', `${BASE}..HEAD`)
  if (log === null) return { code: 1, output: 'git log failed' }
  const faults = log.split('\n').flatMap((line) => {
    const fault = line && titleFault(line.slice(line.indexOf(' ') + 1))
    return fault ? [`${line}: ${fault}`] : []
  })
  return { code: faults.length === 0 ? 0 : 1, output: faults.join('\n') }
}
