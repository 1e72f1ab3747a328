import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The project's own rules for the linter. .oxlintrc.json lists the files for each rule. */

const MIGRATIONS = join(import.meta.dirname, '../server/platform/db/migrations')

function ledgerTables(): string[] {
  const sql = readdirSync(MIGRATIONS).map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
  return sql.flatMap((text) => [...text.matchAll(/CREATE (?:TABLE|VIEW) ledger\.(\w+)/gi)].map(([, name = '']) => name))
}

const TABLE = new RegExp(String.raw`(?<![\w.])ledger\.(${ledgerTables().join('|')})\b`)

/** The parts of the linter's types that these rules use. */
type Context = { report(found: { node: object; message: string }): void }
type Literal = { value: unknown }
type TemplateElement = { value: { raw: string } }
type MemberExpression = { property: { name?: string } }
type NewExpression = { callee: { name?: string }; arguments: unknown[] }

const rules = {
  'ledger-tables': {
    create(context: Context) {
      const look = (node: object, text: unknown) => {
        if (typeof text !== 'string' || !TABLE.test(text)) return
        context.report({ node, message: "SQL names a table of the ledger; other slices use server/ledger's functions" })
      }
      return {
        Literal: (node: Literal) => look(node, node.value),
        TemplateElement: (node: TemplateElement) => look(node, node.value.raw),
      }
    },
  },
  'days-of-the-calendar': {
    create: (context: Context) => ({
      MemberExpression(node: MemberExpression) {
        if (!/^[gs]et(UTC)?(FullYear|Month|Date|Day|Hours)$/.test(node.property.name ?? '')) return
        context.report({ node, message: 'server/calendar/ counts the days of the bank, in its zone' })
      },
    }),
  },
  'time-of-the-clock': {
    create: (context: Context) => ({
      NewExpression(node: NewExpression) {
        if (node.callee.name !== 'Date' || node.arguments.length > 0) return
        context.report({ node, message: "The clock's businessNow() or realNow() tells the time" })
      },
    }),
  },
}

export default { meta: { name: 'alder' }, rules }
