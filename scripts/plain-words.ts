import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

/**
 * Phrases that make a reader stop: a clause where a noun is meant, or a verb of speech where data is meant. docs/glossary.md
 * has the words to use instead.
 */
const REFUSED = [
  'whoever',
  'whomever',
  'whosever',
  'of whom',
  'by whom it',
  'so many',
  'but for',
  'is told',
  'are told',
  'was told',
  'is asked of',
  'are asked of',
  'is said',
  'are said',
  'in whose',
  'by whose',
  'of whose',
  'that of which',
  'as it were',
  'whatever it',
  'is to be',
  'are to be',
  'is none of',
  'no more than that',
  'what it is of',
  'where it is none',
] as const

const ANY_REFUSED = new RegExp(String.raw`\b(?:${REFUSED.join('|')})\b`, 'gi')

/** The parts of a source file that this check reads. */
export type FileWords = { comments: string[]; exportedTypes: string[] }

/**
 * Returns the comments of a source file, and the names of the types that it declares and exports. A type that is exported again
 * from another module is not declared here.
 */
export function wordsOf(path: string, source: string): FileWords {
  const { comments, program } = parseSync(path, source)
  const exportedTypes = program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return []
    const { declaration } = statement
    if (declaration.type !== 'TSTypeAliasDeclaration' && declaration.type !== 'TSInterfaceDeclaration') return []
    return [declaration.id.name]
  })
  return { comments: comments.map(({ value }) => value), exportedTypes }
}

/** Returns the refused phrases in a text, each once, in lower case. */
export function refusedPhrases(text: string): string[] {
  const prose = text.replaceAll(/`[^`]*`/g, '').replaceAll(/\s*\n\s*(?:\*\s?)?/g, ' ')
  return [...new Set([...prose.matchAll(ANY_REFUSED)].map(([phrase]) => phrase.toLowerCase()))]
}

/** Returns the names of types that more than one module declares and exports, each with its modules. */
export function sharedTypeNames(files: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const modules = new Map<string, string[]>()
  for (const [path, names] of files) for (const name of names) modules.set(name, [...(modules.get(name) ?? []), path])
  return new Map([...modules].filter(([, paths]) => paths.length > 1))
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * The files without this check. Decision records and the change log use the words of their time. The types of the tables are
 * generated.
 */
const WITHOUT = /^(docs\/decisions\/|CHANGELOG\.md$|server\/platform\/db\/tables\.ts$)/

function checkedFiles(): string[] {
  const paths = globSync(['*', '.*', '{.github,contract,locales,vite,server,web,e2e,bench,scripts,docs,deploy}/**/*'], {
    cwd: ROOT,
  })
  return paths.filter((path) => /\.(tsx?|mjs|js|md)$/.test(path) && !WITHOUT.test(path))
}

/**
 * Reads source files and documents, and returns one line for each fault: a refused phrase, or a type name that two modules
 * share.
 */
function checkPlainWords(paths: readonly string[]): string[] {
  const faults: string[] = []
  const types = new Map<string, string[]>()
  for (const path of paths) {
    const source = readFileSync(join(ROOT, path), 'utf8')
    const { comments, exportedTypes } = path.endsWith('.md')
      ? { comments: [source], exportedTypes: [] }
      : wordsOf(path, source)
    for (const comment of comments)
      for (const phrase of refusedPhrases(comment))
        faults.push(`${path}: "${phrase}" in: ${comment.trim().slice(0, 100)}`)
    types.set(path, exportedTypes)
  }
  for (const [name, modules] of sharedTypeNames(types))
    faults.push(`type ${name} is exported by ${modules.join(' and ')}`)
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkPlainWords(checkedFiles())
  for (const fault of faults) console.log(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}
