import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

/**
 * Words that belong to one place, and the sentence for whoever uses them elsewhere. These are rules about text,
 * SQL above all, that neither the linter nor the import arrows can see.
 */
const RULES = [
  {
    word: new RegExp(String.raw`(?<![\w.])ledger\.(${ledgerTables().join('|')})\b`),
    in: /^(server|web|contract)\//,
    but: /^server\/(ledger|platform\/db\/migrations|faults)\/|\.test\.ts$/,
    says: "names a table of the ledger; other slices go through server/ledger's functions",
  },
  {
    word: /\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b/,
    in: /^server\//,
    but: /^server\/(platform\/clock\.ts|test\/)|\.test\.ts$/,
    says: 'asks the machine for the time; businessNow() and realNow() of the clock are asked instead',
  },
]

function ledgerTables() {
  const dir = join(ROOT, 'server/platform/db/migrations')
  const sql = readdirSync(dir).map((file) => readFileSync(join(dir, file), 'utf8'))
  const names = sql.flatMap((text) => [...text.matchAll(/CREATE (?:TABLE|VIEW) (?:IF NOT EXISTS )?ledger\.(\w+)/gi)])
  return names.map(([, name]) => name)
}

/** Answers like a tool: `{ code, output }`. */
export async function checkWords() {
  const files = ['server', 'web', 'contract'].flatMap((dir) =>
    readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|sql)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
  )
  const found = files.flatMap((file) => {
    const rules = RULES.filter((rule) => rule.in.test(file) && !rule.but.test(file))
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
    return rules.flatMap(({ word, says }) =>
      lines.flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1} ${says}: ${line.trim()}`] : [])),
    )
  })
  return { code: found.length === 0 ? 0 : 1, output: found.join('\n') }
}
