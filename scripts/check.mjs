// @ts-check
import { captureNode, say } from './run.mjs'
import { checkWeights } from './weights.mjs'

/**
 * A tool of node_modules.
 * @param {string} path
 * @param {string[]} args
 */
const tool = (path, ...args) => ({ run: () => captureNode([`node_modules/${path}`, ...args]) })

const DEPENDENCY_CRUISER = 'dependency-cruiser/bin/dependency-cruiser.mjs'
const FOLDERS = ['contract', 'locales', 'vite', 'server', 'web', 'e2e', 'bench', 'scripts']

/** What is checked without running the bank, each with the tool that does it. */
const CHECKS = {
  // Several checkers would each find out the types that all share anew, which costs more than they save.
  types: tool('typescript/bin/tsc', '-p', '.', '--checkers', '1'),
  lint: tool('oxlint/bin/oxlint'),
  format: tool('oxfmt/bin/oxfmt', '--list-different'),
  arrows: tool(DEPENDENCY_CRUISER, ...FOLDERS),
  folders: tool(DEPENDENCY_CRUISER, '--config', '.dependency-cruiser.folders.mjs', 'contract', 'server', 'web'),
  'texts in the catalogs': tool(
    '@lingui/cli/dist/lingui.js',
    'check',
    'sync',
    '--clean',
    '--overwrite',
    '--workers',
    '1',
    '--verbose',
  ),
  'texts in every language': tool('@lingui/cli/dist/lingui.js', 'check', 'missing', '--workers', '1', '--verbose'),
  'API document': { run: () => captureNode(['scripts/api-document.ts']) },
  weights: { run: checkWeights },
  'dead code': tool('knip/bin/knip.js'),
}

/** Most of them keep one processor busy and leave the others idle. */
const LANES = 2

/** Runs every check and says what each found. Answers how many failed. */
export async function countFailedChecks() {
  const waiting = Object.entries(CHECKS)
  let failed = 0
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, { run }] = next
      const startedAt = performance.now()
      const { code, output } = await run()
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      const found = code === 0 ? '' : `\n${output.trim()}`
      say(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)${found}`)
      if (code !== 0) failed += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return failed
}

export const check = async () => ((await countFailedChecks()) === 0 ? 0 : 1)
